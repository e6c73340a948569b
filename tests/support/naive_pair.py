"""The engine and the naive model side by side: what is done is done to both, and every answer is compared."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any, Literal

import naive_context as contexts
import naive_operators as operators
import naive_reviews as reviews
import naive_tools as tools
from naive import Naive, RefusalError
from naive_facts import Begun, Ended, Noted, Plain, Said, StateSet, Wrote, encoded, halves, tokens, whole
from naive_reached import count_answer, count_events, count_probes, count_recall, reach

from seatrial.engine import Context, Engine, EngineError, Turn

SCORES = ("score", "meaning", "keywords", "recency")
NO_ID = "mem_" + "0" * 24
MINUTE = 60_000
LONG_AFTER = 50 * 24 * 60 + 7  # minutes; not 10 half-lives: half of a billionth may be rounded up or down
OUTCOMES = {"rollback": "rolled_back", "fail": "failed", "crash": "crashed"}

Plane = Literal["live", "preview"]
Helper = Literal["subagent", "program"]


@dataclass(eq=False)
class Open:
    """A turn in both."""

    model: Begun
    real: Turn


class Pair:
    def __init__(self, *, in_a_file: bool) -> None:
        self.path = Path(tempfile.mkdtemp()) / "store" if in_a_file else None
        self.engine = Engine.open(self.path)
        self.model = Naive()
        self.clock = 0
        self.turns: list[Open] = []
        self.not_found: dict[str, Plain] = {}
        self.guidance: dict[tuple[str, int], str] = {}
        self.summary: str | None = None  # what the model answers where it is asked for one
        self.asked_for_summary: list[Plain] = []  # what it was told then, in the last model call

    def close(self) -> None:
        self.engine.close()
        if self.path is not None:
            shutil.rmtree(self.path.parent)

    def restart(self) -> None:
        """The open turns crash, and a store in a file is closed and opened again (TXN-4)."""
        if self.model.open_turns() and self.path is not None:
            reach("restart with open turns")
        operators.end_all_open(self.model)
        if self.path is not None:
            self.engine.close()
            self.engine = Engine.open(self.path)
            return
        for turn in self.turns:
            if turn.real.result is None:
                turn.real.crash()

    # Turns

    def deploy(self, agent: str, plane: Plane, document: Plain) -> None:
        real = attempt(lambda: self.engine.deploy(agent, document, plane=plane, at=self.clock))
        self.agree(real, lambda: self.model.deploy(agent, plane, document))

    def begin(self, agent: str, session: str | None, plane: Plane, user: str, later: int = 1) -> Open | None:
        """`later` minutes after what was before."""
        self.clock = max(0, self.clock + later * MINUTE)
        place = {"session": session, "plane": plane, "execution": f"e{len(self.turns)}", "at": self.clock, "user": user}
        real = attempt(lambda: self.engine.begin(agent, summarize=self.summarize, **place))  # type: ignore[arg-type]  # their types differ
        refused = real if isinstance(real, EngineError) else None
        turn: Begun | None = self.agree(refused, lambda: self.model.begin(agent, **place), compare=False)  # type: ignore[arg-type]
        if turn is None:
            return None
        assert isinstance(real, Turn)
        self.turns.append(Open(turn, real))
        return self.turns[-1]

    def end(self, turn: Open, how: str) -> None:
        state, before = contexts.state(self.model, turn.model), contexts.carried_state(self.model, turn.model)
        result = getattr(turn.real, how)().to_json()
        if how == "commit":
            over_pins = self.model.agent_pins_exceed(turn.model)
            outcome = reviews.commit(self.model, turn.model)
        else:
            outcome = OUTCOMES[how]
            self.model.happen(Ended(turn.model, outcome))
        if outcome == "conflict":
            reach("conflict over pins" if over_pins else f"conflict in a {turn.model.plane} turn")
            assert result.pop("error")["code"] == "conflict"
        else:
            assert result.pop("error") is None
        kept = state if outcome == "committed" else before
        assert result.pop("reason") is None or outcome == "conflict"
        same(result, {"execution": turn.model.execution, "outcome": outcome, "state": kept})
        assert code(attempt(lambda: turn.real.reply("late"))) == "invalid_value"
        if outcome == "committed":
            self.compare_decisions(turn)
        if outcome == "committed" and turn.model.plane == "preview":
            self.name_markers(turn.model.agent)

    def name_markers(self, agent: str) -> None:
        """Ids are taken from the engine; those of markers only operators see."""
        listed: Any = self.engine.console.memories(agent)["records"]
        ids = {record["would_delete"]: record["id"] for record in listed if record["would_delete"]}
        self.model.become(
            replace(fact, id=ids[fact.would_delete])
            if isinstance(fact, Wrote) and fact.would_delete in ids and fact.turn in self.model.committed()
            else fact
            for fact in self.model.happened
        )

    def model_call(self, turn: Open, summary: str | None = None) -> None:
        """`summary` is what the model answers if it is asked for one; None: nothing, so that there is an extract."""
        self.summary, self.asked_for_summary = summary, []
        real: Any = attempt(lambda: turn.real.model_call().to_json())

        def expect() -> Plain:
            told = contexts.summarize(self.model, turn.model, summary)
            self.compare_summary([] if told is None else [told])
            return contexts.model_call(self.model, turn.model)

        expected = self.agree(real, expect, compare=False)
        if expected is not None:
            self.compare_context(turn.model, real, expected)

    def summarize(self, context: Context) -> str | None:
        """The scripted model, where the engine asks it for a summary (CTX-3)."""
        self.asked_for_summary.append(context.to_json())
        return self.summary

    def compare_summary(self, expected: list[Plain]) -> None:
        self.compare_told(self.asked_for_summary, expected)
        for each in expected:
            reach("a summary" if self.summary else "an extract")
            if each["summary"] is not None:
                reach("a summary of a summary")

    def compare_told(self, real: list[Plain], expected: list[Plain]) -> None:
        """What the model is told in calls that recall nothing (RCL-1)."""
        assert len(real) == len(expected), f"calls due: the engine {real}, the model {expected}"
        same([{key: each[key] for key in shown} for each, shown in zip(real, expected, strict=True)], expected)
        for each in real:
            assert each["memory"] == ""
            assert each["tokens"] == tokens(each["text"])

    def compare_context(self, turn: Begun, real: Plain, expected: Plain) -> None:
        listing = expected.pop("pin_text")
        for message in real["messages"]:
            if "note" in message:
                reach("set aside" if "preview" in message else "a note in place of a result")
        same({key: real[key] for key in expected}, expected)
        instructions = real["instructions"].removesuffix("\n" + listing) if listing else real["instructions"]
        version = (turn.agent, turn.version.number)
        assert self.guidance.setdefault(version, instructions) == instructions  # CTX-1: of the config alone
        lines = [encoded({k: v for k, v in hit.items() if k not in SCORES}) for hit in expected["recalled"]]
        memory = "\n".join(["<memory>", *lines, "</memory>"]) if lines else ""
        assert real["memory"] == memory  # RCL-2
        assert real["text"].endswith(memory)
        assert real["tokens"] == tokens(real["text"])  # CTX-7
        count_recall(self.model, turn, expected)

    def review(self, turn: Open, candidates: list[Plain]) -> list[str]:
        """The review that may be due, and what it finds; the ids of the records that it makes (EXT)."""
        real: Any = turn.real.review()
        expected = reviews.review(self.model, turn.model)
        assert (real is None) == (expected is None), f"a review is due: the engine {real}, the model {expected}"
        if real is None or expected is None:
            late = reviews.is_due(self.model, turn.model)
            assert (turn.real.postponed is not None) == late, f"postponed: {turn.real.postponed}, the model {late}"
            reach("a review that does not fit" if late else "no review is due")
            if not reviews.is_reviewed(self.model, turn.model):
                assert code(attempt(lambda: turn.real.decide({"summary": "early", "kind": "fact"}))) == "invalid_value"
            return []
        self.compare_told([real.to_json()], [expected])
        earlier = [said for said in reviews.unreviewed(self.model, turn.model) if said.turn is not turn.model]
        reach("a review of several turns" if earlier else "a review")
        return [made for candidate in candidates if (made := self.decide(turn, candidate)) is not None]

    def decide(self, turn: Open, candidate: Plain) -> str | None:
        """The id of the record that a candidate becomes."""
        given = {name: value for name, value in candidate.items() if value is not None}
        real: Any = turn.real.decide(given).to_json()
        made = NO_ID if real["record"] is None else real["record"]["id"]
        error = EngineError(**real["error"]) if "error" in real else None
        judged = self.agree(error, lambda: reviews.decide(self.model, turn.model, given, made), compare=False)
        if judged is None:
            assert (real["outcome"], real["target"], real["record"]) == ("rejected", None, None)
            reach("decided: rejected")
            return None
        assert real["outcome"] == judged.outcome, f"the model decides {judged}, the engine {real}"
        assert real["target"] in (judged.targets or (None,)), f"the model decides {judged}, the engine {real}"
        same(real["record"], None if judged.record is None else self.model.shown(turn.model, judged.record))
        by = "the model" if "decision" in given else "the reviewer"
        reach(f"decided by {by}: {judged.outcome}" + ("" if judged.targets else ", naming none"))
        return None if judged.record is None else made

    def compare_decisions(self, turn: Open) -> None:
        """As they stood at the commit."""
        real = [(each.outcome, each.record and each.record["id"]) for each in turn.real.extraction.decisions]
        judged = [each.judged for each in reviews.decided(self.model, turn.model)]
        if any(each.outcome == "skip" and each.again for each in judged):
            reach("decided again at the commit")
        same(real, [(each.outcome, each.record and each.record.id) for each in judged])

    def reply(self, turn: Open, text: str) -> None:
        if halves(text):  # REC-6
            assert code(attempt(lambda: turn.real.reply(text))) == "invalid_value"
            return
        turn.real.reply(text)
        message = {"role": "assistant", "text": text}
        self.model.happen(Noted(turn.model, "reply"), Said(turn.model, message, carried=True))

    def tool_result(self, turn: Open, text: str) -> str:
        ref = turn.real.tool_result("fetch", text)
        assert ref not in [said.message.get("ref") for said in self.model.every(Said)]
        message = {"role": "tool", "name": "fetch", "ref": ref, "text": whole(text)}
        self.model.happen(Noted(turn.model, "tool"), Said(turn.model, message, carried=True))
        return ref

    def set_state(self, turn: Open, state: Plain) -> None:
        if halves(json.dumps(state, ensure_ascii=False)):
            assert code(attempt(lambda: turn.real.set_state(state))) == "invalid_value"
            return
        turn.real.set_state(state)
        self.model.happen(Noted(turn.model, "state"), StateSet(turn.model, state))

    def ask(
        self, turn: Open, tool: str, arguments: Plain, by: Literal["agent", "subagent", "program"] = "agent"
    ) -> Plain | None:
        """`by` calls a tool; an argument of None is left out. What it answers, None where it is refused."""
        given = {name: value for name, value in arguments.items() if value is not None}
        caller = turn.real if by == "agent" else turn.real.helper(by)
        answer: Any = caller.call(tool, given).to_json()
        made = answer["answer"]["record"]["id"] if tool == "add_memory" and "answer" in answer else NO_ID
        error = EngineError(**answer["error"]) if "error" in answer else None
        count_probes(self.model, turn.model, given)
        expected: Plain | None = self.agree(
            error or answer["answer"], lambda: tools.call(self.model, turn.model, by, tool, given, made)
        )
        if error is not None:
            self.check_refusal(turn.model, tool, given, error)
        elif expected is not None:
            count_answer(expected)
            count_events(self.model, turn.model, expected.get("events", []))
        self.model.happen(Noted(turn.model, "call"))
        if by == "agent":
            exchange = {"role": "tool", "name": tool, "arguments": readable(given), **answer}
            self.model.happen(Said(turn.model, exchange, carried=False))
        return expected

    # Operators

    def list_records(self, agent: str, grants: list[str] | None) -> None:
        real = attempt(lambda: self.engine.console.memories(agent, grants=grants))
        answer = self.agree(real, lambda: operators.memories(self.model, agent, grants))
        if answer is not None and any(record.get("stale") for record in answer["records"]):
            reach("a stale preview record")

    def read_record(self, agent: str, which: str, grants: list[str] | None) -> None:
        real = attempt(lambda: self.engine.console.memory(agent, which, grants=grants))
        self.agree(real, lambda: operators.read(self.model, agent, which, grants))

    def delete_record(self, agent: str, which: str, grants: list[str] | None) -> None:
        held = [turn for turn in self.model.open_turns() if self.model.find(turn, which)]
        real = attempt(lambda: self.engine.console.delete(agent, which, grants=grants, at=self.clock, operator="op"))
        done = self.agree(
            real, lambda: operators.delete(self.model, agent, which, grants, at=self.clock, operator="op")
        )
        if done and held:
            reach("an operator's delete of what an open turn sees")

    def look_around(self, places: list[tuple[str, str | None]]) -> None:
        """All that is kept, and what every place sees long after."""
        same(self.engine.ledger().to_json(), operators.ledger(self.model))
        for turn in self.model.every(Begun):
            entries: Any = self.engine.transcript(turn.agent, turn.execution)
            assert [entry["type"] for entry in entries] == operators.transcript(self.model, turn)
        for agent in sorted({agent for agent, _ in places}):
            self.list_records(agent, None)
        for agent, session in places:
            for plane in ("live", "preview"):
                last = self.begin(agent, session, plane, "wire limit", later=LONG_AFTER)
                if last is not None:
                    self.ask(last, "search_memory", {"ids": self.model.all_ids()})
                    self.ask(last, "search_history", {"query": "wire limit approved", "limit": 50})
                    for ref in self.model.all_refs()[:5]:  # one of each place
                        self.ask(last, "read_result", {"ref": ref, "length": 9})
                    self.model_call(last)
                if last is not None and self.model.outcome(last.model) == "open":
                    self.end(last, "rollback")

    # Comparing

    def agree(self, real: Any, expect: Any, *, compare: bool = True) -> Any:
        """What the model says, once the engine has said the same; None where both refuse, with one of its codes."""
        try:
            expected = expect()
        except RefusalError as refusal:
            expected = refusal
        if isinstance(expected, RefusalError):
            assert code(real) in expected.codes, f"the model refuses ({expected}), the engine says {real!r}"
            reach(f"refused: {code(real)}")
            return None
        assert code(real) is None, f"the engine refuses ({code(real)}), the model says {expected!r}"
        if compare:
            same(real, expected)
        return expected

    def check_refusal(self, turn: Begun, tool: str, given: Plain, error: EngineError) -> None:
        """VIEW-6: the same bytes whatever was named; and refusals that help (PIN-2, WRT-2)."""
        about: Any = given.get("replaces", given.get("id", []))
        named = [about] if isinstance(about, str) else list(about)
        if error.code == "not_found":
            same(error.to_json(), self.not_found.setdefault(tool, error.to_json()))
        if error.code == "over_budget":
            others = [pin for pin in self.model.pinned(turn) if pin.id not in named]
            assert all(pin.id in error.message for pin in others)
            assert "onsolidate" in error.remedy or not others
        if error.code == "not_active":
            found = [record for each in named if (record := self.model.find(turn, each)) is not None]
            successors = [
                self.model.successor(turn, each) for each in found if self.model.status(turn, each) != "ACTIVE"
            ]
            assert any((each or "was replaced") in error.message for each in successors)


def same(real: Any, expected: Any) -> None:
    """Equal as JSON, so that 1, 1.0 and true differ. What differs is told by its lines."""
    if in_json(real) != in_json(expected):
        found, wanted = in_json(real, indent=1), in_json(expected, indent=1)
        lines = unified_diff(wanted.split("\n"), found.split("\n"), "the model", "the engine", lineterm="", n=2)
        raise AssertionError("\n".join(["they differ", *(line[:200] for line in lines)]))


def in_json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, sort_keys=True, indent=indent, default=str)


def attempt(act: Any) -> Any:
    """What `act` gives, or the EngineError that it raises."""
    try:
        return act()
    except EngineError as error:
        return error


def code(real: Any) -> str | None:
    return real.code if isinstance(real, EngineError) else None


def readable(value: Any) -> Any:
    """REC-6, of arguments as the conversation shows them."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [readable(item) for item in value]
    return {key: readable(item) for key, item in value.items()} if isinstance(value, dict) else value
