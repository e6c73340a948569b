"""SC2xx: agents, their configs and their tools."""

from __future__ import annotations

from seatrial.linter.rules import Example, Rule

from .examples import NAME, scenario, scenario_of_two

RULES: tuple[Rule, ...] = (
    Rule(
        code="SC201",
        name="unknown-agent",
        severity="error",
        checks="an agent that the scenario does not declare",
        why="Every agent is declared with its first config under `config` or `agents`.",
        bad=scenario(
            """
            steps:
              - turn: {agent: auditor, session: a}
            """
        ),
        good=scenario(
            """
            steps:
              - turn: {agent: agent, session: a}
            """
        ),
    ),
    Rule(
        code="SC202",
        name="which-agent",
        severity="error",
        checks="a step of a scenario with several agents that does not say whose it is",
        why="Agents share nothing: which of them acts decides everything.",
        bad=scenario_of_two(
            """
            steps:
              - turn: a
            """
        ),
        good=scenario_of_two(
            """
            steps:
              - turn: {agent: auditor, session: a}
            """
        ),
    ),
    Rule(
        code="SC203",
        name="unreadable",
        severity="error",
        checks="a file, the scenario or a config of it, that is not there or cannot be read",
        why="The path of a config is relative to the scenario's own file.",
        bad=scenario(
            """
            scenario: an example
            config: no/such/config.yaml
            steps:
              - turn: a
            """
        ),
        good=scenario(
            """
            scenario: an example
            config: {harness: {}}
            steps:
              - turn: a
            """
        ),
    ),
    Rule(
        code="SC204",
        name="bad-config",
        severity="error",
        checks="a config file that the linter finds an error in",
        why="It could not be deployed. The findings in the config follow, as `seatrial lint` tells them.",
        bad=(
            Example(NAME, "scenario: an example\nconfig: agent.yaml\nsteps:\n  - turn: a\n"),
            Example("agent.yaml", "harness: {memory: {enabled: 1}}\n"),
        ),
        good=(
            Example(NAME, "scenario: an example\nconfig: agent.yaml\nsteps:\n  - turn: a\n"),
            Example("agent.yaml", "harness: {memory: {enabled: true}}\n"),
        ),
    ),
    Rule(
        code="SC205",
        name="no-such-tool",
        severity="warning",
        checks="a tool that no version of the agent offers, where no error is expected",
        why="It is refused with no_such_tool. Where that is meant, state it: `gets: {error: no_such_tool}`.",
        bad=scenario(
            """
            scenario: an example
            config: {harness: {memory: {enabled: true}}}
            steps:
              - turn: a
                do:
                  - add_memory: {summary: One, kind: fact}
            """
        ),
        good=scenario(
            """
            scenario: an example
            config: {harness: {memory: {enabled: true}}}
            steps:
              - turn: a
                do:
                  - add_memory: {summary: One, kind: fact}
                    gets: {error: no_such_tool}
            """
        ),
    ),
    Rule(
        code="SC206",
        name="other-agents-config",
        severity="error",
        checks="a config that names another agent than the one that would run it",
        why="It is refused. A config that names no agent may be anyone's.",
        bad=scenario(
            """
            scenario: an example
            agents: {auditor: {agent: reconciler, harness: {}}}
            steps:
              - turn: a
            """
        ),
        good=scenario(
            """
            scenario: an example
            agents: {auditor: {agent: auditor, harness: {}}}
            steps:
              - turn: a
            """
        ),
    ),
    Rule(
        code="SC207",
        name="config-for-a-scenario",
        severity="error",
        checks="a config where a scenario should be",
        why="`seatrial lint` checks configs; a scenario names the config that its agent starts with, or --config does.",
        bad=(Example(NAME, "harness: {memory: {enabled: true}}\n"),),
        good=(Example(NAME, "scenario: an example\nconfig: {harness: {}}\nsteps:\n  - turn: a\n"),),
    ),
)
