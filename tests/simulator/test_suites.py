"""From files to judgements: what is found, what is selected, and how a scenario comes out."""

from __future__ import annotations

import os
import re
from pathlib import Path
from textwrap import dedent

import pytest

from seatrial.engine.values import EngineError, PartitionKey, Plane, Scope
from seatrial.engine.views import visible
from seatrial.simulator.discover import NoScenario, discover
from seatrial.simulator.load import InvalidScript, Loader
from seatrial.simulator.suite import Judgement, judge, read, selected

ROOT = Path(__file__).parents[2]
CONFIG = "{harness: {memory: {enabled: true, tools: [add_memory, read_memory]}}}"
TWO_SESSIONS = f"""
scenario: two accounts
config: {CONFIG}
tags: [session-isolation]
steps:
  - turn: account-17
    user: Wire 4471 is approved.
    do:
      - add_memory: {{summary: Wire 4471 is approved, kind: guidance, as: ruling}}
  - turn: account-22
    user: Is wire 4471 approved?
    do:
      - reply: I know of no approval.
"""


def judged(folder: Path, text: str) -> Judgement:
    path = folder / "a.scenario.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return judge(read(path, Loader()))


def status(judgement: Judgement, name: str) -> str:
    return next(verdict.status for verdict in judgement.verdicts if verdict.name == name)


def test_all_is_well(tmp_path: Path) -> None:
    told = judged(tmp_path, TWO_SESSIONS)
    assert (told.state, told.turns, told.vacuous, told.notes, told.failures) == ("ok", 2, (), (), ())
    assert status(told, "session-isolation") == "holds"
    assert status(told, "noninterference:sessions") == "holds"
    assert status(told, "agent-isolation") == "unknown"


def test_an_invariant_that_is_asked_for_and_had_nothing_to_check_makes_a_scenario_vacuous(tmp_path: Path) -> None:
    told = judged(tmp_path, TWO_SESSIONS.replace("session-isolation", "agent-isolation"))
    assert (told.state, told.vacuous) == ("vacuous", ("agent-isolation",))


def test_an_expectation_that_does_not_hold_fails_a_scenario(tmp_path: Path) -> None:
    told = judged(tmp_path, TWO_SESSIONS + "        sees: {recalled: [ruling]}\n")
    assert told.state == "failed"
    assert [told.place("/steps/1/do/0/sees/recalled")] == [
        told.place("/" + "/".join(map(str, told.failures[0].pointer)))
    ]
    place = told.place("/steps/1/do/0/sees/recalled")
    assert place is not None
    assert (place.line, place.column) == (14, 16)


def test_a_foreign_partition_in_the_view_is_named_by_an_invariant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """VIEW-2: one broken line of the view, and the run says which record was seen and why it must not have been."""

    def leaky(agent: str, session: str | None, plane: Plane, reads: tuple[Scope, ...]) -> tuple[PartitionKey, ...]:
        own = visible(agent, session, plane, reads)
        return tuple(dict.fromkeys((*own, *visible(agent, "account-17", plane, reads))))

    monkeypatch.setattr("seatrial.engine.engine.visible", leaky)
    told = judged(tmp_path, TWO_SESSIONS)
    assert told.state == "failed"
    assert status(told, "session-isolation") == "violated"
    violation = next(verdict for verdict in told.verdicts if verdict.name == "session-isolation").violations[0]
    assert violation.step == "/steps/1/do/0"
    assert violation.summary == "Wire 4471 is approved"
    assert violation.because.startswith("because")
    assert status(told, "noninterference:sessions") == "violated"


def test_a_refusal_that_no_expectation_speaks_of_is_a_note(tmp_path: Path) -> None:
    text = f"""
        scenario: x
        config: {CONFIG}
        steps:
          - turn: {{}}
          - turn: {{}}
            gets: {{error: invalid_value}}
          - deploy: {{config: {{version: 1, harness: {{}}}}}}
          - turn: a
            do:
              - search_memory: {{}}
              - subagent: {{do: [{{search_memory: {{query: x, limit: 999}}}}]}}
              - search_memory: {{}}
                gets: {{error: blank_query}}
          - review: {{list: true, grants: []}}
          - review: {{list: true, grants: []}}
            gets: {{error: missing_grant}}
        """
    told = judged(tmp_path, text)
    assert told.state == "ok"
    assert [(note.step, note.message.split(": ")[:2]) for note in told.notes] == [
        ("/steps/0", ["the turn was refused", "invalid_value"]),
        ("/steps/2", ["the deploy was refused", "deploy_refused"]),
        ("/steps/3/do/0", ["the call was refused", "blank_query"]),
        ("/steps/3/do/1/subagent/do/0", ["the call was refused", "invalid_value"]),
        ("/steps/4", ["the review was refused", "missing_grant"]),
    ]


def test_a_note_tells_the_remedy(tmp_path: Path) -> None:
    do = "- add_memory: {summary: The cut-off is 16:00, kind: fcat}"
    told = judged(tmp_path, f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n    do:\n      {do}\n")
    assert [note.message for note in told.notes] == [
        'the call was refused: undeclared_kind: the kind "fcat" is not declared. '
        "Declared: guidance, fact, event, reference. The nearest is fact."
    ]


def test_what_fails_a_scenario_is_not_told_as_a_note_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise EngineError("deploy_refused", "not today")

    monkeypatch.setattr("seatrial.engine.Engine.deploy", refuse)
    told = judged(tmp_path, f"scenario: x\nconfig: {CONFIG}\nsteps:\n  - turn: a\n")
    assert [failure.seen for failure in told.failures] == ["the error deploy_refused: not today"]
    assert [note.step for note in told.notes] == ["/steps/0"]


@pytest.mark.parametrize(("stated", "noted"), [("", ["/steps/0"]), ("gets: {error: limit_exceeded}", [])])
def test_a_turn_that_ends_within_its_do_is_noted_where_its_step_does_not_say_so(
    tmp_path: Path, stated: str, noted: list[str]
) -> None:
    text = f"""
        scenario: x
        config: {{limits: {{model_calls: 1}}, harness: {{}}}}
        steps:
          - turn: a
            do: [{{reply: One.}}, {{reply: Two.}}]
            {stated}
        """
    told = judged(tmp_path, text)
    assert (told.state, [note.step for note in told.notes]) == ("ok", noted)


def test_an_invalid_script_does_not_run(tmp_path: Path) -> None:
    told = judged(tmp_path, "scenario: x\n")
    assert (told.state, told.scenario, told.verdicts, told.trace) == ("invalid", "x", (), None)
    assert [each.code for each in told.diagnostics] == ["ST104"]


def test_warnings_of_a_script_are_told_and_do_not_fail_it(tmp_path: Path) -> None:
    told = judged(tmp_path, TWO_SESSIONS.replace("[session-isolation]", "[session-isolatoin]"))
    assert (told.state, [each.code for each in told.diagnostics]) == ("ok", ["SC401"])


def test_discovery_finds_scenarios_below_folders_in_order_and_takes_files_as_they_are(tmp_path: Path) -> None:
    for name in (
        "b/z.scenario.yaml",
        "b/a.scenario.json",
        "a.scenario.yml",
        "b/notes.yaml",
        ".hidden/c.scenario.yaml",
        "node_modules/d.scenario.yaml",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "b")
    os.mkfifo(tmp_path / "pipe.scenario.yaml")  # nobody will ever write to it
    (tmp_path / "b/away.scenario.yaml").symlink_to("nowhere")
    found = discover([tmp_path / "b/notes.yaml", tmp_path, tmp_path / "b"])
    assert [str(path.relative_to(tmp_path)) for path in found] == [
        "b/notes.yaml",
        "a.scenario.yml",
        "b/a.scenario.json",
        "b/away.scenario.yaml",
        "b/z.scenario.yaml",
    ]
    with pytest.raises(NoScenario):
        discover([tmp_path / "none"])


@pytest.mark.parametrize(
    ("words", "tags", "is_selected"),
    [
        ("", [], True),
        ("TWO acc", [], True),
        ("a.scenario", [], True),
        ("three", [], False),
        ("", ["session-isolation"], True),
        ("", ["slow", "session-isolation"], True),
        ("", ["slow"], False),
        ("three", ["session-isolation"], False),
    ],
)
def test_selection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, tags: list[str], is_selected: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("a.scenario.yaml")
    path.write_text(TWO_SESSIONS, encoding="utf-8")
    assert selected(read(path, Loader()), words, tags) is is_selected
    path.write_text(TWO_SESSIONS.replace("steps", "stops"), encoding="utf-8")
    invalid = read(path, Loader())
    assert isinstance(invalid, InvalidScript)
    assert selected(invalid, words, tags) is (words != "three")  # it may have meant to have the tag
    path.write_text("{", encoding="utf-8")
    assert selected(read(path, Loader()), words, tags)  # it may have any name


BLOCKS = [
    block
    for page in sorted((ROOT / "docs").glob("*.md"))
    for block in re.findall(r"^```yaml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if re.match(r"(?!# \S+/)(#.*\n)*scenario:", block)  # one that is in a file is run in tests/testing/test_pages.py
]


@pytest.mark.parametrize("text", BLOCKS, ids=[re.findall("scenario: (.*)", text)[0] for text in BLOCKS])
def test_the_scenarios_of_the_documentation_hold(tmp_path: Path, text: str) -> None:
    told = judged(tmp_path, text)
    assert (told.state, told.failures, told.diagnostics, told.notes) == ("ok", (), (), ())
