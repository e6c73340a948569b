"""Whatever happens at the desk, no account is shown what belongs to another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given

from seatrial.testing import check, checks, configs, scenario_settings, scripts, versions

CONFIGS = Path(__file__).parents[1] / "configs"
ACCOUNTS = ("account-17", "account-22")
SUBJECTS = ("order 17", "the card fee")


@checks("session-isolation", "plane-isolation", "rollback-atomicity", at_least=3)
@given(scripts([CONFIGS / "desk.v1.yaml", CONFIGS / "desk.v2.yaml"], sessions=ACCOUNTS, subjects=SUBJECTS))
@scenario_settings(max_examples=40)
def test_every_invariant_holds(document: dict[str, Any]) -> None:
    check(document)


@given(scripts(CONFIGS / "desk.v1.yaml", sessions=ACCOUNTS, previews=False, reviews=False, operators=False))
@scenario_settings(max_examples=25)
def test_an_account_is_shown_only_what_was_added_in_it(document: dict[str, Any]) -> None:
    result = check(document, second_runs=["noninterference:sessions"])
    for account in result.sessions:
        lines = result.observed(account)
        added = {line["answer"]["record"]["id"] for line in lines
                 if line["type"] == "call" and line["tool"] == "add_memory" and "answer" in line}  # fmt: skip
        shown = {hit["id"] for line in lines if line["type"] == "context" for hit in line["recalled"]}
        assert shown <= added


@given(scripts(versions(configs(agent="desk", read=["session"], write=["session"])), sessions=ACCOUNTS))
@scenario_settings(max_examples=15)
def test_no_agent_that_keeps_to_sessions_leaks_whatever_else_it_is(document: dict[str, Any]) -> None:
    check(document)
