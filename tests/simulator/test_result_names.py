"""`as` of a tool's result: the script's name for its reference, which `read_result` takes (CTX-4)."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from seatrial.simulator.load import InvalidScript, load_script
from seatrial.simulator.runner import Run, run_script


def played(tmp_path: Path, steps: str) -> Run:
    path = tmp_path / "a.scenario.yaml"
    head = "scenario: results\nconfig: {harness: {context: {offload_threshold: 2}}}\nsteps:\n"
    path.write_text(head + indent(dedent(steps), "  "), encoding="utf-8")
    return run_script(load_script(path))


def test_a_result_is_read_by_its_name(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          do:
            - tool: {name: fetch, result: twelve entries, as: entries}
            - read_result: {ref: entries, offset: 7}
              gets: {text: entries}
        - turn: a
          do:
            - read_result: {ref: entries}
              gets: {text: thirteen entries}
        """,
    )
    (said,) = [line for line in run.trace.lines if line["type"] == "say"]
    calls = [line for line in run.trace.lines if line["type"] == "call"]
    assert [call["arguments"]["ref"] for call in calls] == [said["ref"]] * 2
    assert [call["answer"]["text"] for call in calls] == ["entries", "twelve entries"]
    assert [failure.expected for failure in run.failures] == ['an answer that holds "thirteen entries"']


def test_a_result_that_was_never_told_is_not_found(tmp_path: Path) -> None:
    run = played(
        tmp_path,
        """
        - turn: a
          id: first
          outcome: open
        - turn: a
          do:
            - tool: {name: fetch, result: twelve entries, as: never}
          gets: {error: busy}
        - continue: first
          do:
            - read_result: {ref: never}
              gets: {error: not_found}
        """,
    )
    assert run.failures == ()


@pytest.mark.parametrize(("name", "code"), [("entrees", "SC101"), ("later", "SC101")])
def test_sc101_a_name_that_no_result_has_is_told(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(InvalidScript) as invalid:
        played(
            tmp_path,
            f"""
            - turn: a
              do:
                - tool: {{name: fetch, result: twelve, as: entries}}
                - read_result: {{ref: {name}}}
                - tool: {{name: fetch, result: twelve, as: later}}
            """,
        )
    assert [found.code for found in invalid.value.diagnostics] == [code]
