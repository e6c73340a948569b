"""Scenario files become scripts, or diagnostics with places."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from seatrial.linter.rules import Example, Rule
from seatrial.simulator.load import InvalidScript, Loaded, Loader, load_script
from seatrial.simulator.rules import RULES
from seatrial.simulator.script import (
    Action,
    ContinueStep,
    DeployStep,
    RestartStep,
    ReviewStep,
    Script,
    TurnStep,
    every_action,
)
from seatrial.simulator.settle import generated, parse_time

HEAD = "scenario: an example\nconfig: {harness: {memory: {enabled: true, tools: [add_memory, read_memory]}}}\n"


def written(folder: Path, *files: Example) -> Path:
    for file in files:
        (folder / file.name).write_text(file.text, encoding="utf-8")
    return folder / files[0].name


def script(folder: Path, text: str) -> Script:
    return load_script(written(folder, Example("a.scenario.yaml", text)))


def found(folder: Path, text: str, name: str = "a.scenario.yaml") -> list[str]:
    """`LINE:COLUMN CODE` of each diagnostic."""
    path = written(folder, Example(name, text))
    try:
        diagnostics = Loader().load(path).warnings
    except InvalidScript as invalid:
        diagnostics = invalid.diagnostics
    return [f"{each.span.line}:{each.span.column} {each.code}" for each in diagnostics]


def steps(text: str) -> str:
    return f"{HEAD}steps:\n{text}"


PAGE = """\
scenario: what is learned about one account stays with its session
config: configs/reconciler.v1.yaml        # or the document inline; `agents:` for several
steps:
  - turn: account-17
    user: Operator says wire 4471 is approved up to 9,000 USD.
    do:
      - add_memory: {summary: "Wire 4471 is approved up to 9,000 USD", kind: guidance, as: ruling}
      - reply: Noted.
  - turn: account-22
    user: Is wire 4471 approved?
    do:
      - search_memory: {query: wire 4471}
        gets: {records: []}
      - reply: I know of no approval.
        sees: {recalled: []}
  - turn: account-17
    user: Is wire 4471 approved?
    do:
      - reply: Yes, up to 9,000 USD.
        sees: {recalled: [ruling]}
"""
CONFIG = "agent: reconciler\nversion: 1\nharness: {memory: {enabled: true, tools: [add_memory]}}\n"


def test_a_scenario_is_settled_whole(tmp_path: Path) -> None:
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/reconciler.v1.yaml").write_text(CONFIG, encoding="utf-8")
    path = written(tmp_path, Example("a.scenario.yaml", PAGE))
    loaded = load_script(path)
    start = parse_time("2026-01-01T00:00:00Z")
    deploy, first, second, third = loaded.steps
    assert (loaded.scenario, loaded.path) == ("what is learned about one account stays with its session", path)
    assert isinstance(deploy, DeployStep)
    assert (deploy.place, deploy.pointer, deploy.agent, deploy.at) == (-1, ("config",), "reconciler", start)
    assert isinstance(first, TurnStep)
    assert isinstance(second, TurnStep)
    assert isinstance(third, TurnStep)
    assert [step.execution for step in (first, second, third)] == ["s0", "s1", "s2"]
    assert [step.at - start for step in (first, second, third)] == [0, 60_000, 120_000]
    assert {step.agent for step in (first, second, third)} == {"reconciler"}
    assert first.do[0] == Action(
        kind="add_memory",
        arguments={"summary": "Wire 4471 is approved up to 9,000 USD", "kind": "guidance"},
        pointer=("steps", 0, "do", 0),
        name="ruling",
    )
    assert second.do[0].gets == {"records": []}
    assert third.do[0].sees == {"recalled": ["ruling"]}


def test_every_kind_of_step_and_action(tmp_path: Path) -> None:
    text = steps(
        """
          - turn: {agent: agent, session: a, mode: preview, at: 2026-02-01T00:00:00.5+01:00}
            id: slow
            user: Hello.
            do:
              - tool: {name: fetch, result: nothing}
              - tool: {name: fetch, tokens: 7}
              - set_state: {open: [1, {two: null}]}
              - subagent: {do: [{search_memory: {ids: [mem_0]}, gets: {records: []}}]}
              - program: {do: []}
            outcome: open
          - continue: slow
            do:
              - fail: no
          - deploy: {config: {harness: {}}, mode: preview}
            gets: {error: deploy_refused}
          - review: {list: true}
          - review: {delete: mem_0, grants: []}
            gets: {error: missing_grant}
          - restart: true
          - turn: {}
        """
    )
    _, turn, later, deploy, listing, deletion, restart, last = script(tmp_path, text).steps
    at = parse_time("2026-01-31T23:00:00.5Z")
    assert isinstance(turn, TurnStep)
    assert (turn.session, turn.plane, turn.at, turn.name, turn.outcome) == ("a", "preview", at, "slow", "open")
    assert [(action.kind, dict(action.arguments)) for action, _ in every_action(turn.do)] == [
        ("tool", {"name": "fetch", "result": "nothing"}),
        ("tool", {"name": "fetch", "result": "row 00000000\nrow 00000001\nro"}),
        ("set_state", {"state": {"open": [1, {"two": None}]}}),
        ("subagent", {}),
        ("search_memory", {"ids": ["mem_0"]}),
        ("program", {}),
    ]
    assert isinstance(later, ContinueStep)
    assert (later.execution, later.do[0].arguments) == ("s0", {"reason": "no"})
    assert isinstance(deploy, DeployStep)
    assert (deploy.plane, deploy.agent, deploy.pointer) == ("preview", "agent", ("steps", 2))
    assert isinstance(listing, ReviewStep)
    assert (listing.action, listing.target, listing.grants) == ("list", None, None)
    assert isinstance(deletion, ReviewStep)
    assert (deletion.action, deletion.target, deletion.grants) == ("delete", "mem_0", ())
    assert isinstance(restart, RestartStep)
    assert isinstance(last, TurnStep)
    assert (last.session, last.user, last.do, last.at) == (None, "", (), at + 6 * 60_000)


def test_several_agents_are_deployed_in_order_before_the_first_step(tmp_path: Path) -> None:
    text = """
        scenario: two
        start: 2026-03-01
        agents: {b: {harness: {}}, a: {harness: {}}}
        steps:
          - turn: {agent: a, session: s}
        """
    first, second, turn = script(tmp_path, dedent(text)).steps
    assert isinstance(first, DeployStep)
    assert isinstance(second, DeployStep)
    assert [(step.place, step.agent, step.pointer) for step in (first, second)] == [
        (-2, "b", ("agents", "b")),
        (-1, "a", ("agents", "a")),
    ]
    assert first.at == second.at == turn.at == parse_time("2026-03-01")


@pytest.mark.parametrize(
    ("name", "text", "agent"),
    [
        ("auditor.v1.yaml", "harness: {}", "auditor"),
        ("auditor.v1.json", '{"agent": "stated", "harness": {}}', "stated"),
    ],
)
def test_the_agent_of_a_config_is_what_it_says_or_its_file_does(
    tmp_path: Path, name: str, text: str, agent: str
) -> None:
    path = written(
        tmp_path,
        Example("a.scenario.yaml", f"scenario: x\nconfig: {name}\nsteps:\n  - turn: s\n"),
        Example(name, text),
    )
    turn = load_script(path).steps[1]
    assert isinstance(turn, TurnStep)
    assert turn.agent == agent


def test_a_version_in_a_files_name_is_the_configs(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        Example("a.scenario.yaml", "scenario: x\nconfig: auditor.v3.yaml\nsteps:\n  - turn: s\n"),
        Example("auditor.v3.yaml", "harness: {}"),
    )
    deploy = load_script(path).steps[0]
    assert isinstance(deploy, DeployStep)
    assert deploy.config == {"harness": {}, "version": 3}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rules_bad_example_breaks_it_and_nothing_else_of_ours(tmp_path: Path, rule: Rule) -> None:
    path = written(tmp_path, *rule.bad)
    if rule.severity == "warning":
        codes = [each.code for each in Loader().load(path).warnings]
    else:
        with pytest.raises(InvalidScript) as invalid:
            load_script(path)
        codes = [each.code for each in invalid.value.diagnostics]
    assert {code for code in codes if code.startswith("SC")} == {rule.code}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rules_good_example_is_clean(tmp_path: Path, rule: Rule) -> None:
    assert Loader().load(written(tmp_path, *rule.good)).warnings == ()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_each_rule_says_what_and_why(rule: Rule) -> None:
    assert RULES[rule.code] is rule
    assert rule.checks[0].islower() or rule.checks[0] == "`"
    assert not rule.checks.endswith(".")
    assert rule.why.endswith(".")


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("scenario: x\n", ["1:1 ST104"]),
        (steps("  - turn: a\n    usr: Hello.\n"), ["5:5 ST101"]),
        (steps("  - turn: a\n    do:\n      - serch_memory: {query: x}\n"), ["6:9 ST101"]),
        (steps("  - turn: a\n    do:\n      - add_memory: {summary: 5, kind: fact}\n"), ["6:31 ST102"]),
        (steps("  - turn: a\n    outcome: comit\n"), ["5:14 ST103"]),
        (steps("  - turn: a\n    do:\n      - add_memory: {summary: x}\n"), ["6:9 ST104"]),
        ("scenario: x\nconfig: {harness: {}}\ntags: [a, a]\nsteps:\n  - turn: a\n", ["3:11 ST105"]),
        (steps("  - turn: {session: a, at: 25:00}\n"), ["4:28 ST103"]),
        (steps("  - turn: a\n    do:\n      - reply: no\n"), []),
        ("scenario: x\n  config: [\n", ["2:9 ST001"]),
    ],
)
def test_a_wrong_form_is_told_by_the_linters_rules_at_its_place(tmp_path: Path, text: str, places: list[str]) -> None:
    assert [each for each in found(tmp_path, text) if not each.endswith("ST006")] == places


def test_a_json_scenario_is_a_scenario(tmp_path: Path) -> None:
    text = '{"scenario": "x", "config": {"harness": {}}, "steps": [{"turn": "a", "usr": ""}]}'
    assert found(tmp_path, text, "a.scenario.json") == ["1:70 ST101"]
    assert found(tmp_path, text.replace("usr", "user"), "a.scenario.json") == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (steps("  - user: Hello.\n"), ["4:5 SC001"]),
        (steps("  - turn: a\n    deploy: {config: {harness: {}}}\n"), ["5:5 SC001"]),
        (steps("  - review: {}\n"), ["4:13 SC001"]),
        (steps("  - turn: a\n    do:\n      - tool: {name: x}\n"), ["6:15 SC001"]),
        (steps("  - turn: a\n    do:\n      - sees: {state: {}}\n"), ["6:9 SC001"]),
        ("scenario: x\nsteps:\n  - turn: a\n", ["1:1 SC001"]),
        (steps("  - continue: a\n    id: b\n"), ["5:5 SC002"]),
        (steps("  - review: {list: true}\n    gets: {record: {status: ACTIVE}}\n"), ["5:12 SC004"]),
        (steps("  - turn: a\n    gets: {record: {status: ACTIVE}}\n"), ["5:12 SC004"]),
        (steps("  - turn: a\n    do:\n      - read_memory: {id: x}\n"
               "        gets: {error: not_found, record: {kind: fact}}\n"),
         ["7:34 SC004"]),
        (steps("  - review: {read: ruling}\n"), ["4:20 SC101"]),
        (steps("  - turn: a\n    do:\n      - reply: x\n        sees: {recalled: {has: [ruling]}}\n"), ["7:33 SC101"]),
        (steps("  - turn: a\n    do:\n      - reply: x\n        sees: {pins: {has: [ruling]}}\n"),
         ["7:16 SC003", "7:29 SC101"]),
        (steps("  - turn: a\n    do:\n      - read_memory: {id: later}\n        gets: {error: not_found}\n"
               "      - add_memory: {summary: x, kind: fact, as: later}\n"), ["6:27 SC101"]),
        (steps("  - turn: a\n    do:\n      - subagent: {do: [{subagent: {do: []}}]}\n"), ["6:26 SC006"]),
        (steps("  - turn: a\n    do:\n      - fail: x\n    outcome: commit\n"), ["7:14 SC304"]),
        (steps("  - turn: a\n    id: x\n    outcome: open\n  - restart: true\n  - continue: x\n"), ["8:15 SC301"]),
        (steps("  - turn: a\n    id: x\n    outcome: open\n  - continue: x\n  - continue: x\n"), ["8:15 SC301"]),
        (steps("  - turn: {session: a, at: 1969-12-31}\n"), ["4:28 SC305"]),
        (steps("  - turn: {session: a, at: 1970-01-01T00:00:00+01:00}\n"), ["4:28 SC305"]),
    ],
)  # fmt: skip
def test_what_only_makes_no_sense_as_a_script_is_told_at_its_place(
    tmp_path: Path, text: str, places: list[str]
) -> None:
    assert found(tmp_path, text) == places


def test_an_unknown_action_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidScript) as invalid:
        script(tmp_path, steps("  - turn: a\n    do:\n      - serch_memory: {query: x}\n"))
    assert 'did you mean "search_memory"?' in invalid.value.diagnostics[0].message


def test_an_unknown_name_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidScript) as invalid:
        load_script(written(tmp_path, *RULES["SC101"].bad))
    assert "did you mean `ruling`?" in invalid.value.diagnostics[0].message


def test_a_message_is_one_line_whatever_the_script_calls_things(tmp_path: Path) -> None:
    do = '      - read_memory: {id: "a\\n\\e[2J"}\n        gets: {record: {id: "a\\n"}}\n'
    with pytest.raises(InvalidScript) as invalid:
        script(tmp_path, steps(f"  - turn: a\n    do:\n{do}"))
    assert [each.message.split(";")[0] for each in invalid.value.diagnostics] == [
        "no `as` gives the name `a\\x0a\\x1b[2J`",
        "no `as` gives the name `a\\x0a`",
    ]


def test_an_inline_config_is_linted_in_place(tmp_path: Path) -> None:
    text = "scenario: x\nconfig:\n  harness: {memry: {}}\nsteps:\n  - deploy: {config: {harness: 5}}\n"
    assert found(tmp_path, text) == ["3:13 ST101", "5:32 ST102"]
    with pytest.raises(InvalidScript) as invalid:
        script(tmp_path, text)
    assert [each.pointer for each in invalid.value.diagnostics] == [
        ("config", "harness", "memry"),
        ("steps", 0, "deploy", "config", "harness"),
    ]


def test_a_bad_config_file_is_told_in_both_places(tmp_path: Path) -> None:
    path = written(tmp_path, *RULES["SC204"].bad)
    with pytest.raises(InvalidScript) as invalid:
        load_script(path)
    assert sorted((Path(each.path).name, each.span.line, each.code) for each in invalid.value.diagnostics) == [
        ("agent.yaml", 1, "ST102"),
        ("example.scenario.yaml", 2, "SC204"),
    ]


def test_warnings_of_a_config_do_not_stop_a_scenario(tmp_path: Path) -> None:
    config = Example("agent.yaml", "harness: {memory: {enabled: true, kinds: [fact, 017]}}\n")
    path = written(tmp_path, *RULES["SC204"].good[:1], Example(config.name, config.text.replace("017", '"017"')))
    assert isinstance(Loader().load(path), Loaded)


def test_a_scenario_that_cannot_be_read_is_invalid(tmp_path: Path) -> None:
    with pytest.raises(InvalidScript) as invalid:
        load_script(tmp_path / "none.scenario.yaml")
    assert [each.code for each in invalid.value.diagnostics] == ["SC203"]


@pytest.mark.parametrize("name", ["none.yaml", ".", "a" * 5000, '"a\\0b"'])
def test_a_config_that_cannot_be_read_is_told_where_it_is_named(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, f"scenario: x\nconfig: {name}\nsteps:\n  - turn: a\n") == ["2:9 SC203"]


def test_an_invalid_script_still_says_its_name_and_tags(tmp_path: Path) -> None:
    with pytest.raises(InvalidScript) as invalid:
        script(tmp_path, "scenario: x\ntags: [slow, 5]\nstep: []\n")
    assert (invalid.value.scenario, invalid.value.tags) == ("x", ("slow",))


def test_a_config_is_read_once_for_many_scenarios(tmp_path: Path) -> None:
    path = written(tmp_path, *RULES["SC204"].good)
    loader = Loader()
    first = loader.load(path)
    (tmp_path / "agent.yaml").write_text("harness: 5\n", encoding="utf-8")
    assert loader.load(path).script == first.script
    with pytest.raises(InvalidScript):
        load_script(path)


def test_dropping_a_step_moves_no_time_of_another(tmp_path: Path) -> None:
    """REC-2: what is settled stays settled."""
    text = steps("  - turn: a\n  - turn: b\n  - turn: {session: c, at: 2026-05-01}\n  - turn: d\n")
    times = [step.at for step in script(tmp_path, text).steps]
    start, moved = parse_time("2026-01-01"), parse_time("2026-05-01")
    assert times == [start, start, start + 60_000, moved, moved + 60_000]


@pytest.mark.parametrize("tokens", [1, 2, 3, 4, 13, 1000])
def test_a_generated_result_has_exactly_its_tokens(tokens: int) -> None:
    """CTX-7: four bytes of UTF-8 a token."""
    text = generated(tokens)
    assert len(text.encode()) == 4 * tokens
    assert generated(tokens + 1).startswith(text)


@pytest.mark.parametrize("empty", ["recalled: {has: []}", "pins: {lacks: []}", "text: []", "lacks_text: []"])
def test_an_expectation_that_expects_nothing_is_told(tmp_path: Path, empty: str) -> None:
    """It would pass whatever was there."""
    text = steps(f"  - turn: a\n    do:\n      - reply: x\n        sees: {{{empty}}}\n")
    with pytest.raises(InvalidScript) as invalid:
        script(tmp_path, text)
    assert [(each.code, each.message) for each in invalid.value.diagnostics] == [
        ("ST103", "at least 1 item is expected")
    ]
    nothing = steps("  - turn: a\n    do:\n      - reply: x\n        sees: {}\n")
    with pytest.raises(InvalidScript, match="at least 1 key is expected"):
        script(tmp_path, nothing)
