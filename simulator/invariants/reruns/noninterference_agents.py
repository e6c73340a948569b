"""noninterference:agents: what an agent observes does not depend on any other agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...script import DeployStep, ReviewStep, Script, Step, TurnStep
from ..examples import HEADER, begin, context, deploy, end
from ..verdict import Verdict
from .examples import script_of, turn_step
from .second_run import (
    Example,
    Line,
    Lines,
    Rerun,
    SecondRun,
    TraceLike,
    difference,
    differing,
    history_of,
    looks,
    looks_after,
    packed,
)
from .without import without

NAME = "noninterference:agents"


def check(script: Script, trace: TraceLike, rerun: Rerun) -> Verdict:
    """One second run for each agent that looked at anything, without all others."""
    history = history_of(trace)
    agents = list(dict.fromkeys(step.agent for step in script.steps if isinstance(step, TurnStep)))
    checked = dict.fromkeys(_COUNTS, 0)
    found = []
    for agent in agents:
        mine = observed(trace.lines, agent)
        others = [step.execution for step in script.steps if isinstance(step, TurnStep) and step.agent != agent]
        if not others or not looks(mine):
            continue
        checked["reruns"] += 1
        checked["turns_dropped"] += len(others)
        checked["lines"] += len(mine)
        checked["cross_agent_probes"] += looks_after(trace.lines, mine, _begun_by_others(agent))
        again = rerun(without(script, history, others, _of_another(agent)))
        differs = difference(mine, observed(again.lines, agent), packed(trace))
        if differs is not None:
            found.append(differing(NAME, "VIEW-1", trace.lines, differs, f"dropping the agents other than {agent}"))
    return Verdict.of(NAME, checked, found, checked["cross_agent_probes"])


def observed(lines: Sequence[Line], agent: str) -> list[Line]:
    """What an agent and its operators observe, and its part of the ledger."""
    turns = {line["turn"] for line in lines if line["type"] == "begin" and line["agent"] == agent}
    return [line for line in lines if line.get("agent") == agent or line.get("turn") in turns]


def _begun_by_others(agent: str) -> Callable[[Line], bool]:
    return lambda line: line["agent"] != agent


def _of_another(agent: str) -> Callable[[Step], bool]:
    """Operators' steps of `agent` on records of others stay: an id of another agent's answers like one of nothing."""

    def gone(step: Step) -> bool:
        return isinstance(step, DeployStep | ReviewStep) and step.agent != agent

    return gone


_COUNTS = {
    "reruns": "second runs made, one an agent at most",
    "turns_dropped": "turns of other agents left out, over all second runs",
    "lines": "lines compared",
    "cross_agent_probes": "contexts, calls, decisions and operators' calls among them that came after another agent "
    "had begun; without one the verdict is unknown",
}


def _example(tokens: int) -> Lines:
    own = [begin("s1", "account-17", "Refunds?", agent="clerk"), context("s1", tokens=tokens), end("s1")]
    other = [begin("s0", "account-17", "Refunds?", agent="auditor"), context("s0"), end("s0")]
    return Lines((HEADER, deploy("auditor"), deploy("clerk"), *other, *own))


_SCRIPT = script_of(turn_step(0, "account-17", agent="auditor"), turn_step(1, "account-17"))

NONINTERFERENCE_AGENTS = SecondRun(
    name=NAME,
    clauses=("VIEW-1", "REC-2"),
    holds_when=(
        "Everything an agent and its operators observe, and its part of the ledger, stays the same byte for byte when "
        "all other agents are dropped."
    ),
    change="for each agent: the turns, deploys and operators' steps of all others are dropped",
    counts=_COUNTS,
    check=check,
    good=Example(_SCRIPT, _example(12), _example(12)),
    bad=Example(_SCRIPT, _example(12), _example(13)),
)
