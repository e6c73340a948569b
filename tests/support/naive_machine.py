"""Random programs against the engine and the naive model at once.

A failure shrinks to a short program of the rules below, printed as one that can be read and run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, precondition, rule
from naive_configs import CONFIGS
from naive_facts import Plain, Wrote
from naive_pair import Helper, Open, Pair, Plane
from naive_words import (
    CORRECTION,
    FACT,
    LABELLED,
    NEVER,
    RACED,
    READ_TOOLS,
    SEATS,
    STARTS,
    agents,
    bad_texts,
    contents,
    facts,
    facts_kinds,
    facts_labels,
    grants,
    kinds,
    labels,
    messages,
    planes,
    scopes,
    seats,
    states,
    texts,
    words,
)

between_turns = precondition(lambda machine: machine.stirred)  # or programs would be made of nothing else
in_a_file = precondition(lambda machine: machine.pair.path is not None)


class Machine(RuleBasedStateMachine):
    records = Bundle("records")
    refs = Bundle("refs")

    def __init__(self) -> None:
        super().__init__()
        self.pair = Pair(in_a_file=False)
        self.seated: dict[str, Open | None] = {}
        self.stirred = True

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # else a step failed already, and that is what is to be told
                self.pair.restart()
                self.pair.look_around([("ann", "a"), ("ann", "_"), ("an_", "a"), ("solo", None)])
        finally:
            self.pair.close()

    @initialize(target=records, in_a_file=st.booleans(), config=st.none() | st.sampled_from(STARTS))
    def first(self, in_a_file: bool, config: str | None) -> Any:
        """Three agents, and a record in each of their scopes; then `ann` may get another config."""
        self.pair = Pair(in_a_file=in_a_file)
        self.pair.deploy("ann", "live", CONFIGS["both"])
        self.pair.deploy("an_", "live", CONFIGS["both"])
        self.pair.deploy("solo", "live", CONFIGS["sessionless"])
        places = [("ann/a", "agent"), ("ann/a", "session"), ("ann/_", "session")]
        places += [("an_/a", "agent"), ("solo/1", "agent")]
        made = [self.first_record(seat, scope) for seat, scope in places]
        if config is not None:
            self.pair.deploy("ann", "live", CONFIGS[config])
        return multiple(*made)

    def first_record(self, seat: str, scope: str) -> str:
        given = {"summary": f"wire limit of {seat}", "kind": "fact", "scope": scope, "pinned": scope == "agent"}
        turn = self.at(seat)
        assert turn is not None
        answer = self.pair.ask(turn, "add_memory", given)
        if seat == "ann/a":
            self.pair.review(turn, [{"summary": FACT, **LABELLED, "scope": scope}])
        if seat == "ann/_":
            self.pair.review(turn, [{"summary": CORRECTION, **LABELLED, "scope": "agent"}])
        self.talk(turn, [("hears", f"The limit of the wire, in {seat}."), ("replies", "The wire limit is 9,000 USD.")])
        self.pair.end(turn, "commit")
        assert answer is not None
        return str(answer["record"]["id"])

    def at(self, seat: str) -> Open | None:
        """The turn that is open there; if there is none, it begins. None where the agent has no such turn any more."""
        turn = self.seated.get(seat)
        if turn is None or self.pair.model.outcome(turn.model) != "open":
            turn = self.seated[seat] = self.pair.begin(*SEATS[seat], "live", "wire limit")
        self.stirred = True
        return turn

    def ask(self, seat: str, tool: str, given: Plain) -> Any:
        """The id of the record that it made, for the bundle."""
        turn = self.at(seat)
        answer = None if turn is None else self.pair.ask(turn, tool, given)
        return multiple() if answer is None or tool != "add_memory" else answer["record"]["id"]

    def do(self, seat: str, act: Callable[[Open], Any]) -> Any:
        turn = self.at(seat)
        return None if turn is None else act(turn)

    def stated(self, scope: str | None, which: list[str]) -> str | None:
        """The scope to state in a call about records."""
        own = [record.scope for record in self.pair.model.every(Wrote) if record.id in which]
        return scope if scope != "own" else own[0] if own else "agent"

    # Turns

    @rule(
        target=refs,
        seat=seats,
        how=st.sampled_from(["commit"] * 7 + ["rollback", "fail", "crash"]),
        then=planes,
        user=messages,
        later=st.integers(-1, 2),
        said=st.lists(st.tuples(st.sampled_from(["hears", "hears", "replies"]), messages), max_size=4),
    )
    def end(self, seat: str, how: str, then: Plane, user: str, later: int, said: Sequence[tuple[str, str]] = ()) -> Any:
        """The turn there ends, and the next one begins, in which something is said at once."""
        self.do(seat, lambda turn: self.pair.end(turn, how))
        turn = self.seated[seat] = self.pair.begin(*SEATS[seat], then, user, later)
        return multiple() if turn is None else multiple(*self.talk(turn, said))

    def talk(self, turn: Open, said: Sequence[tuple[str, str]]) -> list[str]:
        """The references of what it hears."""
        for speaker, text in said:
            if speaker == "replies":
                self.pair.reply(turn, text)
        return [self.pair.tool_result(turn, text) for speaker, text in said if speaker == "hears"]

    @rule(agent=agents, session=st.sampled_from(["a", "_", None, "", " a", "a\n"]), plane=planes)
    def begin_elsewhere(self, agent: str, session: str | None, plane: Plane) -> None:
        """Mostly refused: the session is busy, the agent has none, or it is no name."""
        turn = self.pair.begin(agent, session, plane, "wire limit")
        if turn is not None:
            self.pair.end(turn, "rollback")

    @between_turns
    @rule(agent=agents, plane=planes, config=st.sampled_from(sorted(CONFIGS)))
    def deploy(self, agent: str, plane: Plane, config: str) -> None:
        self.stirred = False
        self.pair.deploy(agent, plane, CONFIGS[config])

    @between_turns
    @in_a_file
    @rule()
    def restart(self) -> None:
        self.stirred = False
        self.pair.restart()

    # What a turn does

    @rule(seat=seats, summary=st.sampled_from([None, " ", "The wire was approved.\nAsk again."]))
    def model_call(self, seat: str, summary: str | None) -> None:
        self.do(seat, lambda turn: self.pair.model_call(turn, summary))

    @rule(
        target=records,
        seat=seats,
        summary=texts | texts | texts | texts | texts | bad_texts,
        kind=kinds,
        scope=scopes,
        pinned=st.booleans(),
        labels=st.none() | labels,
        content=st.none() | messages,
        replaces=st.lists(records, max_size=2),
    )
    def add(
        self,
        seat: str,
        summary: str,
        kind: str,
        scope: str | None,
        pinned: bool,
        labels: Plain | None,
        content: str | None,
        replaces: list[str],
    ) -> Any:
        named = replaces[0] if len(replaces) == 1 else replaces or None
        given = {"summary": summary, "kind": kind, "labels": labels, "content": content, "pinned": pinned or None}
        return self.ask(seat, "add_memory", given | {"scope": self.stated(scope, replaces), "replaces": named})

    @rule(
        target=records,
        seat=seats,
        plane=planes,
        first=st.sampled_from(["replace", "delete", "pin", "pin", "find", "find", "correct"]),
        second=st.sampled_from(["replace", "delete", "erase", "pin", "pin", "find", "fact", "erase fact"]),
        commit=st.booleans(),
    )
    def race(self, seat: str, plane: Plane, first: str, second: str, commit: bool) -> Any:
        """The open turn and one elsewhere both end the same AGENT record, or pin, or find a fact; the other one commits
        first."""
        one, (agent, session) = self.at(seat), SEATS[seat]
        other = self.pair.begin(agent, None if session is None else "elsewhere", plane, "wire limit")
        if one is None or other is None:
            if other is not None:
                self.pair.end(other, "rollback")
            return multiple()
        shared = [record.id for record in self.pair.model.active(one.model) if record.scope == "agent"]
        which = [*shared, NEVER[0]][0]
        made = [self.change(one, first, which), self.change(other, second, which)]
        self.pair.end(other, "commit")
        if second == "erase fact" and made[1] is not None:
            self.pair.delete_record(agent, made[1], None)
        self.pair.ask(one, "read_memory", {"id": which})
        if commit:
            self.pair.end(one, "commit")
        return multiple(*(each for each in made if each is not None))

    def change(self, turn: Open, how: str, which: str) -> str | None:
        """The id of the record that it makes."""
        if how == "erase":
            self.pair.delete_record(turn.model.agent, which, None)
            return None
        if how in ("find", "correct"):
            found: Plain = {"summary": RACED, **LABELLED, "scope": "agent"}
            decision = {"decision": {"replace": which} if how == "correct" else None}
            return next(iter(self.pair.review(turn, [found | decision])), None)
        calls: dict[str, tuple[str, Plain]] = {
            "fact": ("add_memory", {"summary": RACED, "kind": "fact"}),
            "erase fact": ("add_memory", {"summary": RACED, "kind": "fact"}),
            "replace": ("add_memory", {"summary": "wire limit 9000 raised", "kind": "fact", "replaces": which}),
            "delete": ("delete_memory", {"id": which}),
            "pin": ("add_memory", {"summary": "a pin of every session", "kind": "fact", "pinned": True}),
        }
        tool, given = calls[how]
        answer = self.pair.ask(turn, tool, given | {"scope": "agent"})
        return None if answer is None or how == "delete" else str(answer["record"]["id"])

    @rule(seat=seats, which=records | st.sampled_from(NEVER), scope=scopes)
    def delete(self, seat: str, which: str, scope: str | None) -> None:
        self.ask(seat, "delete_memory", {"id": which, "scope": self.stated(scope, [which])})

    @rule(seat=seats, which=records | st.sampled_from(NEVER))
    def read(self, seat: str, which: str) -> None:
        self.ask(seat, "read_memory", {"id": which})

    @rule(
        seat=seats,
        query=st.none() | messages,
        kinds=st.none() | st.lists(kinds, max_size=2),
        labels=st.none() | labels,
        ids=st.none() | st.lists(records, max_size=3),
        limit=st.none() | st.integers(1, 9),
    )
    def search(
        self,
        seat: str,
        query: str | None,
        kinds: list[str] | None,
        labels: Plain | None,
        ids: list[str] | None,
        limit: int | None,
    ) -> None:
        self.ask(seat, "search_memory", {"query": query, "kinds": kinds, "labels": labels, "ids": ids, "limit": limit})

    @rule(seat=seats, query=messages, limit=st.none() | st.sampled_from([1, 2, 50, 51]))
    def search_history(self, seat: str, query: str, limit: int | None) -> None:
        self.ask(seat, "search_history", {"query": query, "limit": limit})

    @rule(
        seat=seats,
        helper=st.sampled_from(["subagent", "program"]),
        tool=st.sampled_from([*READ_TOOLS, "add_memory", "delete_memory"]),
        which=records,
    )
    def helper(self, seat: str, helper: Helper, tool: str, which: str) -> None:
        arguments: dict[str, Plain] = {
            "search_memory": {"query": "wire limit"},
            "search_history": {"query": "wire limit"},
            "add_memory": {"summary": "by a helper", "kind": "fact"},
            "read_result": {"ref": which},
        }
        self.do(seat, lambda turn: self.pair.ask(turn, tool, arguments.get(tool, {"id": which}), by=helper))

    @rule(seat=seats, text=messages)
    def reply(self, seat: str, text: str) -> None:
        self.do(seat, lambda turn: self.pair.reply(turn, text))

    @rule(target=refs, seat=seats, text=messages)
    def tool_result(self, seat: str, text: str) -> Any:
        turn = self.at(seat)
        return multiple() if turn is None else self.pair.tool_result(turn, text)

    @rule(seat=seats, ref=refs, offset=st.none() | st.integers(0, 9), length=st.none() | st.integers(1, 9))
    def read_result(self, seat: str, ref: str, offset: int | None, length: int | None) -> None:
        self.ask(seat, "read_result", {"ref": ref, "offset": offset, "length": length})

    @rule(seat=seats, state=states)
    def set_state(self, seat: str, state: Plain) -> None:
        self.do(seat, lambda turn: self.pair.set_state(turn, state))

    # Reviews

    @rule(
        target=records,
        seat=seats,
        commit=st.booleans(),
        found=st.lists(
            st.fixed_dictionaries(
                {
                    "summary": facts,
                    "kind": facts_kinds,
                    "labels": facts_labels,
                    "scope": scopes,
                    "content": contents,
                    "pinned": st.sampled_from([None] * 9 + [True]),
                    "decision": st.one_of(
                        *[words] * 4,
                        st.fixed_dictionaries({"replace": records | records | records | st.sampled_from(NEVER)}),
                        st.fixed_dictionaries({"delete": records | records | records | st.sampled_from(NEVER)}),
                    ),
                }
            ),
            min_size=1,
            max_size=4,
        ),
    )
    def review(self, seat: str, found: list[Plain], commit: bool) -> Any:
        """The turn there is reviewed, and may commit."""
        turn = self.at(seat)
        if turn is None:
            return multiple()
        made = self.pair.review(turn, [self.candidate(each) for each in found])
        if commit:
            self.pair.end(turn, "commit")
        return multiple(*made)

    def candidate(self, found: Plain) -> Plain:
        decision = found["decision"]
        named = list(decision.values()) if isinstance(decision, dict) else []
        return found | {"scope": self.stated(found["scope"], named)}

    # Operators

    @between_turns
    @rule(agent=agents | st.just("nobody"), grants=grants)
    def list_records(self, agent: str, grants: list[str] | None) -> None:
        self.stirred = False
        self.pair.list_records(agent, grants)

    @between_turns
    @rule(agent=agents, which=records | st.sampled_from(NEVER), grants=grants)
    def read_record(self, agent: str, which: str, grants: list[str] | None) -> None:
        self.stirred = False
        self.pair.read_record(agent, which, grants)

    @between_turns
    @rule(agent=agents, which=records, grants=grants)
    def delete_record(self, agent: str, which: str, grants: list[str] | None) -> None:
        self.stirred = False
        self.pair.delete_record(agent, which, grants)
