"""One broken line of the engine each: the run names the invariant, what was seen, and why it must not have been.

The scripts state no expectation, so that it is the invariants alone that find it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
from isolation import ISOLATION

from seatrial.engine import journal, messages, scoring, tools
from seatrial.engine.commits import Batch
from seatrial.engine.engine import Engine
from seatrial.engine.ids import with_id
from seatrial.engine.tools import Desk
from seatrial.engine.turn import Turn, TurnResult
from seatrial.engine.values import EngineError, PartitionKey, Plane, Record, Scope
from seatrial.engine.views import Partitions, visible
from seatrial.simulator.invariants import RERUNS, Verdict, Violation
from seatrial.simulator.load import Loader
from seatrial.simulator.runner import Player
from seatrial.simulator.suite import judge, read

CONFIG = """
agents:
  clerk:
    harness:
      memory:
        enabled: true
        scope: {read: SCOPES, write: SCOPES}
        tools: [add_memory, read_memory, delete_memory]
  auditor:
    harness: {memory: {enabled: true}}
"""
TWO_SESSIONS = """
- turn: {agent: clerk, session: account-17}
  user: Refunds take a week.
  do:
    - add_memory: {summary: Refunds take a week, kind: fact, as: refunds}
    - set_state: {state: {open: wire 4471}}
    - reply: Kept for account-17.
- turn: {agent: clerk, session: account-22}
  user: Kept for account-22.
  do:
    - add_memory: {summary: Chargebacks take a month, kind: fact}
    - add_memory: {summary: Refunds are late, kind: fact}
    - search_memory: {query: refunds and chargebacks}
    - read_memory: {id: refunds}
- turn: {agent: auditor, session: account-17}
  user: How long do refunds take?
  do:
    - search_memory: {query: refunds}
"""
ROLLED_BACK = """
- turn: {agent: clerk, session: account-17}
  user: Refunds take a week.
  do:
    - add_memory: {summary: Refunds take a week, kind: fact, as: refunds}
- turn: {agent: clerk, session: account-17}
  user: Or do they take a month?
  do:
    - add_memory: {summary: Refunds take a month, kind: fact, replaces: refunds, as: month}
    - set_state: {state: {open: refunds}}
  outcome: rollback
- turn: {agent: clerk, session: account-17}
  user: How long do refunds take?
  do:
    - read_memory: {id: refunds}
    - search_memory: {query: refunds}
"""
PREVIEW = """
- turn: {agent: clerk, session: account-17, mode: preview}
  user: What if refunds took a month?
  do:
    - add_memory: {summary: Refunds take a month, kind: fact}
    - set_state: {state: {open: refunds}}
- turn: {agent: clerk, session: account-17}
  user: How long do refunds take?
  do:
    - search_memory: {query: refunds}
"""
SHARED = """
- turn: {agent: clerk, session: account-17}
  user: Refunds need a signature on all accounts.
  do:
    - add_memory: {summary: Refunds need a signature, kind: fact, scope: agent}
    - add_memory: {summary: Refunds of March were paid twice, kind: fact}
- turn: {agent: clerk, session: account-22}
  user: What do refunds need?
  id: open
  do:
    - search_memory: {query: refunds}
  outcome: open
- turn: {agent: clerk, session: account-17}
  user: Refunds over 500 EUR need two.
  do:
    - add_memory: {summary: Refunds over 500 EUR need two signatures, kind: fact, scope: agent}
- continue: open
  do:
    - search_memory: {query: refunds}
"""


class Trial:
    """Runs steps on a fresh memory system, and judges them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, steps: str, scopes: str = "[session]") -> dict[str, Verdict]:
        path = self.folder / "a.scenario.yaml"
        config = CONFIG.replace("SCOPES", scopes).strip()
        path.write_text(
            f"scenario: a trial\n{config}\nsteps:\n{indent(dedent(steps).strip(), '  ')}\n", encoding="utf-8"
        )
        told = judge(read(path, Loader()))
        assert not told.diagnostics
        return {verdict.name: verdict for verdict in told.verdicts}

    def violations(self, steps: str, scopes: str = "[session]") -> dict[str, tuple[Violation, ...]]:
        """The violated invariants, each with what violates it."""
        return {name: verdict.violations for name, verdict in self.run(steps, scopes).items() if verdict.violations}


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


def clauses(violations: Sequence[Violation]) -> set[str]:
    return {violation.clause for violation in violations}


def seen(violations: Sequence[Violation]) -> set[str | None]:
    return {violation.summary for violation in violations}


@pytest.mark.parametrize("steps", [TWO_SESSIONS, ROLLED_BACK, PREVIEW, SHARED])
@pytest.mark.parametrize("scopes", ["[session]", "[session, agent]"])
def test_the_engine_as_it_is_violates_nothing(trial: Trial, steps: str, scopes: str) -> None:
    assert trial.violations(steps, scopes) == {}


def test_the_scripts_give_the_isolations_something_to_check(trial: Trial) -> None:
    both = "[session, agent]"
    judged = [trial.run(steps, both) for steps in (TWO_SESSIONS, ROLLED_BACK, PREVIEW, SHARED)]
    names = [*(each.name for each in ISOLATION), *(each.name for each in RERUNS)]
    assert all(any(verdicts[name].status == "holds" for verdicts in judged) for name in names)


def patch_visible(monkeypatch: pytest.MonkeyPatch, more: Callable[[str, Plane], tuple[PartitionKey, ...]]) -> None:
    """A view that holds `more` than it should."""

    def leaky(agent: str, session: str | None, plane: Plane, reads: tuple[Scope, ...]) -> tuple[PartitionKey, ...]:
        return tuple(dict.fromkeys((*visible(agent, session, plane, reads), *more(agent, plane))))

    monkeypatch.setattr("seatrial.engine.engine.visible", leaky)


def test_view_2_a_foreign_sessions_partition(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_visible(monkeypatch, lambda agent, plane: (PartitionKey(agent, "live", "session", "account-17"),))
    found = trial.violations(TWO_SESSIONS)
    assert [*found] == [
        "session-isolation",
        "hits-complete",
        "uniform-refusal",
        "flow",
        "noninterference:sessions",
        "commute",
    ]
    isolation = found["session-isolation"]
    assert clauses(isolation) == {"VIEW-2"}
    assert seen(isolation) == {"Refunds take a week"}
    assert isolation[0].because == "because it belongs to session account-17, and session account-22 sees its own only"
    record = isolation[0].record
    assert isolation[0].witness == (
        "account-17 turn s0",
        f"add_memory {record} (session)",
        "answer of search_memory in account-22 turn s1 call 3",
    )


def test_view_1_a_foreign_agents_partition(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_visible(monkeypatch, lambda agent, plane: (PartitionKey("clerk", "live", "session", "account-17"),))
    found = trial.violations(TWO_SESSIONS)
    assert clauses(found["agent-isolation"]) == {"VIEW-1"}
    assert seen(found["agent-isolation"]) == {"Refunds take a week"}
    assert {violation.step for violation in found["agent-isolation"]} == {"/steps/2/do/0"}


def test_view_4_a_previews_partition(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_visible(monkeypatch, lambda agent, plane: (PartitionKey(agent, "preview", "session", "account-17"),))
    found = trial.violations(PREVIEW)
    assert clauses(found["plane-isolation"]) == {"VIEW-4"}
    assert seen(found["plane-isolation"]) == {"Refunds take a month"}


@pytest.mark.parametrize("part", ["engine", "past"])
def test_view_4_a_live_turn_that_continues_a_preview(trial: Trial, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(f"seatrial.engine.{part}.planes_seen", lambda plane: ("live", "preview"))
    found = trial.violations(PREVIEW)
    assert clauses(found["plane-isolation"]) == {"VIEW-4"}
    what = {"engine": "state", "past": "message"}[part]
    assert all(violation.observation.startswith(what) for violation in found["plane-isolation"])


def test_view_2_a_conversation_of_all_sessions(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    """graphiti#1676, mem0#4359: the session is taken from elsewhere than the call."""
    real = messages.since
    monkeypatch.setattr(messages, "since", lambda sql, agent, session, *more: real(sql, agent, "account-17", *more))
    found = trial.violations(TWO_SESSIONS)["session-isolation"]
    assert found[0].observation == 'message "Refunds take a week." in account-22 turn s1 call 1'
    assert found[0].witness == ("account-17 turn s0", "user message", found[0].observation)


def test_view_2_a_state_of_another_session(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    real = journal.carried
    monkeypatch.setattr(journal, "carried", lambda sql, agent, session, planes: real(sql, agent, "account-17", planes))
    found = trial.violations(TWO_SESSIONS)["session-isolation"]
    assert (found[0].clause, found[0].observation) == ("VIEW-2", "state in account-22 turn s1 call 1")


def test_view_5_a_commit_that_reaches_open_views(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Engine._commit

    def reaching(self: Engine, desk: Desk, batch: Batch) -> None:
        real(self, desk, batch)
        for turn in self._open.values():
            for record in batch.records:
                if turn.desk is not desk and record.scope == "agent":
                    turn.desk.view.write(record)

    monkeypatch.setattr(Engine, "_commit", reaching)
    found = trial.violations(SHARED, "[session, agent]")["session-isolation"]
    assert (clauses(found), seen(found)) == ({"VIEW-5"}, {"Refunds over 500 EUR need two signatures"})
    assert found[0].because == "because turn s2 had not committed when turn s1 began"


def test_sco_2_a_session_record_that_is_kept_as_agent(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    """cadis#155: session writes were stored as agent scope."""
    monkeypatch.setattr(tools, "_scope", lambda desk, stated: stated or "agent")
    found = trial.violations(TWO_SESSIONS, "[session, agent]")["session-isolation"]
    assert clauses(found) == {"VIEW-2", "SCO-2"}
    assert "Refunds take a week" in seen(found)
    assert {violation.observation for violation in found if violation.clause == "SCO-2"} == {"ledger: scope agent"}


def keep_what_rolls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def keeping(self: Turn, reason: str | None = None) -> TurnResult:
        self.commit()
        self.result = TurnResult(self.execution, "rolled_back", reason, None, self._carried)
        return self.result

    monkeypatch.setattr(Turn, "rollback", keeping)


def test_txn_2_a_rollback_that_keeps_what_the_turn_wrote(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_what_rolls_back(monkeypatch)
    found = trial.violations(ROLLED_BACK)["rollback-atomicity"]
    assert clauses(found) == {"TXN-2"}
    assert {
        "recall in account-17 turn s2 call 1",
        'message "Or do they take a month?" in account-17 turn s2 call 1',
        "state in account-17 turn s2 call 1",
        "ledger: the record",
        "ledger: its status SUPERSEDED",
        "ledger: execution s1: committed",
    } <= {violation.observation for violation in found}
    recalled = next(each for each in found if each.observation == "recall in account-17 turn s2 call 1")
    assert recalled.summary == "Refunds take a month"
    assert recalled.because == "because turn s1 ended as rolled_back, and leaves nothing"


def test_txn_2_a_rollback_that_keeps_what_the_turn_deleted(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_what_rolls_back(monkeypatch)
    replacing = "add_memory: {summary: Refunds take a month, kind: fact, replaces: refunds, as: month}"
    found = trial.violations(ROLLED_BACK.replace(replacing, "delete_memory: {id: refunds}"))["rollback-atomicity"]
    refused = next(each for each in found if each.observation.startswith("refusal"))
    assert refused.observation == "refusal of read_memory in account-17 turn s2 call 1"
    assert refused.summary == "Refunds take a week"
    assert refused.because == "because only turn s1 ended it, and turn s1 ended as rolled_back"


@dataclass
class Everything:
    """What a faulty engine knows of all sessions at once, forgotten with each run."""

    ids: list[str] = field(default_factory=list)
    partitions: Partitions | None = None


@pytest.fixture
def everything(monkeypatch: pytest.MonkeyPatch) -> Everything:
    known = Everything()
    real = Partitions.__init__

    def noted(self: Partitions, *given: Any, **named: Any) -> None:
        real(self, *given, **named)
        known.partitions = self

    begin = Player.__init__

    def forgetful(self: Player, *given: Any, **named: Any) -> None:
        known.ids.clear()
        begin(self, *given, **named)

    monkeypatch.setattr(Partitions, "__init__", noted)
    monkeypatch.setattr(Player, "__init__", forgetful)
    return known


def only_violation(trial: Trial, steps: str, scopes: str = "[session]", also: str | None = None) -> Violation:
    """The first of noninterference:sessions; only second runs show it, and `also`: nothing that is told leaked."""
    found = trial.violations(steps, scopes)
    assert {*found} - {also} <= {each.name for each in RERUNS}
    return found["noninterference:sessions"][0]


def test_rec_2_ids_from_one_counter(trial: Trial, monkeypatch: pytest.MonkeyPatch, everything: Everything) -> None:
    def counted(draft: Record) -> Record:
        everything.ids.append(f"mem_{len(everything.ids):024d}")
        return replace(draft, id=everything.ids[-1])

    monkeypatch.setattr(tools, "with_id", counted)
    violation = only_violation(trial, TWO_SESSIONS)
    assert violation.observation == "call in account-22 turn s1 call 1: /answer/record/id"
    assert violation.because.startswith("because dropping account-17 of clerk changed it from ")
    assert violation.summary == "Chargebacks take a month"


def test_view_6_an_error_that_tells_a_foreign_id_from_an_unknown_one(
    trial: Trial, monkeypatch: pytest.MonkeyPatch, everything: Everything
) -> None:
    found = tools._found

    def noted(draft: Record) -> Record:
        record = with_id(draft)
        everything.ids.append(record.id)
        return record

    def telling(desk: Desk, record: str) -> Record:
        if desk.view.get(record) is None and record in everything.ids:
            raise EngineError("not_found", "this record is not yours")
        return found(desk, record)

    monkeypatch.setattr(tools, "with_id", noted)
    monkeypatch.setattr(tools, "_found", telling)
    violation = only_violation(trial, TWO_SESSIONS)
    assert violation.observation == "call in account-22 turn s1 call 4: /error/message"
    assert violation.step == "/steps/1/do/3"


@pytest.mark.parametrize(("steps", "scopes"), [(TWO_SESSIONS, "[session]"), (SHARED, "[session, agent]")])
def test_sch_4_document_frequencies_over_all_sessions(
    trial: Trial, monkeypatch: pytest.MonkeyPatch, everything: Everything, steps: str, scopes: str
) -> None:
    """mem0#5439: another user's records moved the ranking, and no text of them leaked."""
    weighed = scoring._weighed

    def over_all(held: list[scoring._Counted]) -> list[scoring.Part]:
        assert everything.partitions is not None
        own = [counted.snapshot.index for counted in held]
        for loaded in everything.partitions._loaded.values():
            loaded.take_in()
        others = [loaded.partition.snapshot() for loaded in everything.partitions._loaded.values()]
        foreign = [scoring._without(each, ()) for each in others if each.mark.rows and each.index not in own]
        return weighed([*held, *foreign])[: len(held)]

    monkeypatch.setattr(scoring, "_weighed", over_all)
    violation = only_violation(trial, steps, scopes, also="hits-complete")  # the weights are not of what is in view
    assert violation.record is not None
    assert violation.summary is not None
    assert violation.observation.endswith("/keywords")
    verb = "dropping" if scopes == "[session]" else "replacing the private texts of"
    assert violation.because.startswith(f"because {verb} account-")
