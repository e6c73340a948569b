"""Intents -> a scenario document that the loader finds nothing wrong with.

What the writer believes of the script so far decides what is written, never what is right. Only where no memory system
could answer otherwise does it state an expectation: for what no invariant can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

from . import intents
from .beliefs import Believed, Playing, Seat, Subject, settle
from .cast import Role, changed, kinds, labels, memory, reads_its_writes, reviews_each_turn
from .intents import Do
from .likeness import Likeness, kind_of
from .spellings import SPELLINGS
from .wording import VALUES, Document, Wording
from .words import MANY_WORDS, canary

SESSIONS = ("account-17", "account-22", "account_17")  # alike to whoever compares names loosely
_START = datetime(2026, 1, 1, tzinfo=UTC)
_TOOLS: Mapping[type[intents.Call], str] = {
    intents.Add: "add_memory",
    intents.Read: "read_memory",
    intents.Delete: "delete_memory",
    intents.Search: "search_memory",
    intents.History: "search_history",
}
_ROW = "and one row of what is approved up to 9,000 USD\n"  # words that records have


def write(
    cast: Sequence[Role],
    steps: Iterable[intents.Step],
    scenario: str = "a random script",
    sessions: Sequence[str] = SESSIONS,
) -> Document:
    """The document of a scenario in which the agents of `cast` do what `steps` intend, as far as it can be done.

    It loads without a finding. There is at least one step.
    """
    writer = _Writer(cast, sessions)
    for step in steps:
        writer.step(step)
    writer.close()
    head: Document = {"scenario": scenario}
    if len(cast) == 1:
        head["config"] = cast[0].versions[0].written
    else:
        head["agents"] = {role.name: role.versions[0].written for role in cast}
    return {**head, "steps": writer.steps}


class _Writer(Wording):
    """Writes step after step, and keeps what it believes of them."""

    def __init__(self, cast: Sequence[Role], sessions: Sequence[str]) -> None:
        super().__init__({role.name: Believed.of(role) for role in cast})
        self.sessions = sessions
        self.order = [role.name for role in cast]
        self.steps: list[Document] = []
        self.open: list[Playing] = []
        self.heard: dict[Seat, str] = {}  # the canary of a message that every later turn of the session surely shows
        self.subjects: dict[tuple[Seat, Likeness], Subject] = {}
        self.turns = 0
        self.at = _START - timedelta(minutes=1)

    def step(self, step: intents.Step) -> None:
        self.at += timedelta(minutes=1)
        if isinstance(step, intents.Turn):
            self.turn(step)
        elif isinstance(step, intents.GoOn):
            self.go_on(step)
        elif isinstance(step, intents.Deploy):
            self.deploy(step)
        elif isinstance(step, intents.Review):
            self.review(step)
        else:
            for turn in self.open:
                settle(turn, kept=False)
            self.open.clear()
            self.steps.append({"restart": True})

    def close(self) -> None:
        """No turn is left open, and no script is empty."""
        if not self.steps:
            self.step(intents.Turn())
        while self.open:
            self.go_on(intents.GoOn())

    def turn(self, step: intents.Turn) -> None:
        agent = self.agents[self.order[step.agent % len(self.order)]]
        session = self.sessions[step.session % len(self.sessions)] if agent.role.sessions else None
        seat = (agent.role.name, session)
        busy = next((turn for turn in self.open if turn.seat == seat and session is not None), None)
        self.at += timedelta(minutes=step.later)
        mark, config = self.canary(), agent.running(step.plane)
        said = step.user.said(mark)
        self.turns += 1
        turn = Playing(
            f"turn{self.turns}", seat, step.plane, config, agent.steady and busy is None, mark if mark in said else None
        )
        written: Document = {"turn": self.head(turn, step.later), "user": said}
        if busy is None:
            part = self.part(turn, step.do, first=True)
            if step.do.ending == "open":
                written["id"] = turn.id
                self.open.append(turn)
        else:  # TXN-3: it is refused, whatever it means to do
            part = {"gets": {"error": "busy"}} if busy.surely() and agent.steady else {}
        self.steps.append({**written, **part})

    def head(self, turn: Playing, later: int) -> str | Document:
        """What stands behind `turn`: the session alone where nothing else needs to be said."""
        found: Document = {"agent": turn.seat[0]} if len(self.order) > 1 else {}
        if turn.seat[1] is not None:
            found["session"] = turn.seat[1]
        if turn.plane != "live":
            found["mode"] = turn.plane
        if later:
            found["at"] = self.at.isoformat().replace("+00:00", "Z")
        return turn.seat[1] if list(found) == ["session"] and turn.seat[1] is not None else found

    def go_on(self, step: intents.GoOn) -> None:
        if not self.open:
            return
        turn = self.open[-1 - step.back % len(self.open)]
        part = self.part(turn, step.do, first=False)
        if step.do.ending != "open":
            self.open.remove(turn)
        self.steps.append({"continue": turn.id, **part})

    def part(self, turn: Playing, do: Do, *, first: bool) -> Document:
        """What a turn does in one step, and how that ends."""
        written: Document = {}
        acts = self.acts(turn, do.acts)
        shown = self.heard.get(turn.seat)
        if first and acts and shown is not None and turn.surely():
            acts[0]["sees"] = {"text": shown}
        if do.ending == "fail":
            acts.append({"fail": "the sum is off"})
        if acts:
            written["do"] = acts
        if do.ending == "open":
            written["outcome"] = "open"
            return written
        if do.ending != "fail":
            if do.extract is not None and self.keeps_memory(turn.seat[0]):
                written["extract"] = [one for each in do.extract for one in self.found(turn, each, first=first)]
            if do.ending != "commit":
                written["outcome"] = do.ending
        carried = turn.seat[1] is not None and turn.plane == "live" and self.agents[turn.seat[0]].plain
        if first and carried and do.ending == "commit" and turn.surely() and turn.mark is not None:
            self.heard[turn.seat] = turn.mark
        settle(turn, kept=do.ending == "commit")
        return written

    def keeps_memory(self, agent: str) -> bool:
        believed = self.agents[agent]
        return bool(memory(believed.live) or memory(believed.preview))

    def deploy(self, step: intents.Deploy) -> None:
        agent = self.agents[self.order[step.agent % len(self.order)]]
        given = agent.role.versions
        if not step.again and not step.changes and agent.given < len(given):
            version = given[agent.given]
            agent.given += 1
            config, written = version.config, version.written
        else:
            config = changed(given[0].config if step.again else agent.running(step.plane), step.changes)
            written = config
        deploy: Document = {"agent": agent.role.name} if len(self.order) > 1 else {}
        deploy["config"] = written
        if step.plane != "live":
            deploy["mode"] = step.plane
        self.steps.append({"deploy": deploy})
        agent.steady = False
        agent.deploy(config, step.plane)

    def review(self, step: intents.Review) -> None:
        name = self.order[step.agent % len(self.order)]
        review: Document = {}
        if step.action == "list":
            review["list"] = True
        else:
            named = self.names.found(step.pick, (name, None), "record")
            if named is None:
                return
            if step.pick.whose != "other agent":
                name = named.seat[0]
            review[step.action] = named.alias
            if step.action == "delete" and named.state == "kept":
                named.state = "ended"
        if len(self.order) > 1:
            review["agent"] = name
        if step.grants is not None:
            review["grants"] = list(step.grants)
        self.steps.append({"review": review})

    def acts(self, turn: Playing, acts: Iterable[intents.Act]) -> list[Document]:
        """The acts as they are written. What a helper was asked is seen by no later call of its parent (WRT-6)."""
        written: list[Document] = []
        asked: str | None = None
        for act in acts:
            given = self.canaries
            done = self.act(turn, act)
            if asked is not None and done and turn.surely():
                done[0]["sees"] = {"lacks_text": asked}
            marks = map(canary, range(given + 1, self.canaries + 1)) if isinstance(act, intents.Helper) else ()
            asked = next((mark for mark in marks if mark in str(done)), None)
            written += done
        return written

    def act(self, turn: Playing, act: intents.Act) -> list[Document]:
        """The act as it is written: nothing where it cannot be done."""
        written = self.said(turn, act)
        turn.acts += len(written)
        return written

    def said(self, turn: Playing, act: intents.Act) -> list[Document]:
        if isinstance(act, intents.Reply):
            return [{"reply": act.words.said(self.canary())}]
        if isinstance(act, intents.SetState):
            return [{"set_state": {"note": act.words.said(self.canary())}}]
        if isinstance(act, intents.Told):
            alias = self.name(turn, "result", None, "")
            return [{"tool": {"name": "fetch", "result": act.words.said(self.canary()) + _rows(act.rows), "as": alias}}]
        if isinstance(act, intents.Helper):
            calls = [found for call in act.calls for found in self.call(turn, call, helper=True)]
            return [{act.kind: {"do": calls}}] if calls else []
        if isinstance(act, intents.Result):
            named = self.names.found(act.pick, turn.seat, "result")
            offset = {} if act.offset is None else {"offset": act.offset, "length": 20}
            return [] if named is None else [{"read_result": {"ref": named.alias, **offset}}]
        return self.call(turn, act, helper=False)

    def call(self, turn: Playing, call: intents.Call, *, helper: bool) -> list[Document]:
        """A call of a tool that some version of the agent offers; a helper's, of any."""
        if not helper and _TOOLS[type(call)] not in self.agents[turn.seat[0]].tools:
            return []
        if isinstance(call, intents.Search):
            sure = not helper and turn.surely()
            return [self.search(turn, call, sure=sure) if call.spelling is None else self.spelt(turn, call, sure=sure)]
        if isinstance(call, intents.History):
            return [{"search_history": {"query": call.words.said(self.canary())}}]
        if isinstance(call, intents.Add):
            return [self.add(turn, call, helper)]
        return self.ask(turn, call, helper)

    def ask(self, turn: Playing, call: intents.Read | intents.Delete, helper: bool) -> list[Document]:
        """A call about one record, where there is one."""
        named = self.names.found(call.pick, turn.seat, "record")
        if named is None:
            return []
        if isinstance(call, intents.Read):
            return [{"read_memory": {"id": named.alias}}]
        if not helper:
            turn.ends.append(named)
        scope = call.scope or self.scope_to_state(turn, [named])
        return [{"delete_memory": {"id": named.alias, **({} if scope is None else {"scope": scope})}}]

    def search(self, turn: Playing, call: intents.Search, *, sure: bool) -> Document:
        found: Document = {} if call.words is None else {"query": call.words.said(self.canary())}
        gets: Document = {}
        declared = labels(turn.config)
        unused = self.agents[turn.seat[0]].unused
        if call.by == "nothing" and unused is not None:
            found["kinds"] = [unused]
            if sure and memory(turn.config) and (call.words is None or call.words.twist == "plain"):
                gets = {"gets": {"records": []}}
        elif call.by == "kind":
            found["kinds"] = [self.kind(turn, call.number % 10)]
        elif call.by == "label" and declared:
            found["labels"] = self.labelled(turn, (call.number,))
        elif call.by == "ids":
            named = [self.names.found(pick, turn.seat, "record") for pick in call.picks]
            found["ids"] = list(dict.fromkeys(each.alias for each in named if each is not None))
        if call.limit is not None:
            found["limit"] = call.limit
            if call.limit > memory(turn.config).get("search", {}).get("max_results", 8):
                gets = {}  # more than the version allows: it is refused
        return {"search_memory": found, **gets}

    def spelt(self, turn: Playing, call: intents.Search, *, sure: bool) -> Document:
        """Asks for the turn's latest record by what finds it or does not, where nothing else can play a part."""
        written, asked, finds = SPELLINGS[call.spelling or 0]
        found: Document = {"query": asked}
        named = next((each for each in reversed(turn.made) if each.what == "record"), None)
        if named is None or not named.text.endswith(written) or named.state != "open":
            return {"search_memory": found}
        found["ids"] = [named.alias]
        plain = "search" not in memory(turn.config) and reads_its_writes(turn.config)
        gets = {"gets": {"records": [named.alias] if finds else []}} if sure and plain else {}
        return {"search_memory": found, **gets}

    def add(self, turn: Playing, call: intents.Add, helper: bool) -> Document:
        targets = [self.names.found(pick, turn.seat, "record") for pick in call.replaces]
        named = list({each.alias: each for each in targets if each is not None}.values())
        written = self.record(turn, call.record)
        if named:
            written["replaces"] = named[0].alias if len(named) == 1 else [each.alias for each in named]
            scope = call.record.scope or self.scope_to_state(turn, named)
            if scope is not None:
                written["scope"] = scope
        written["as"] = self.name(turn, "record", written.get("scope"), written["summary"], refused=helper)
        if not helper:
            turn.ends += named
        return {"add_memory": written}

    def found(self, turn: Playing, found: intents.Candidate | intents.Many, *, first: bool) -> list[Document]:
        """What a review finds: one candidate, or many."""
        if isinstance(found, intents.Candidate):
            return [self.candidate(turn, found, first=first)]
        more: Document = {} if found.scope is None else {"scope": found.scope}
        if found.wide:
            more["content"] = MANY_WORDS
        return [{"summary": f"{self.canary()} is wire {number}", "kind": self.kind(turn, 0), **more}
                for number in range(found.count)]  # fmt: skip

    def candidate(self, turn: Playing, candidate: intents.Candidate, *, first: bool) -> Document:
        if candidate.likeness is not None:
            return self.likened(turn, candidate.likeness, candidate.half, first=first)
        written = self.record(turn, candidate.record)
        if candidate.decision in ("add", "skip"):
            written["decision"] = candidate.decision
        elif candidate.decision is not None:
            named = self.names.found(candidate.pick, turn.seat, "record")
            if named is not None:
                written["decision"] = {candidate.decision: named.alias}
                scope = self.scope_to_state(turn, [named])
                if scope is not None:
                    written.setdefault("scope", scope)
                turn.ends.append(named)
        written["as"] = self.name(turn, "record", written.get("scope"), written["summary"])
        return written

    def likened(self, turn: Playing, likeness: Likeness, half: Literal[0, 1], *, first: bool) -> Document:
        """One of two texts about one subject. What becomes of it is stated where nothing else can play a part."""
        before = self.subjects.pop((turn.seat, likeness), None) if half else None
        if before is not None and before.named.state not in ("open", "kept"):
            before = None
        mark = self.canary() if before is None else before.mark
        kind, names = kind_of(likeness, half, kinds(turn.config)), list(labels(turn.config))
        written: Document = {"summary": likeness.text(half)[1].format(mark), "kind": kind or self.kind(turn, 0)}
        self.agents[turn.seat[0]].written.add(written["kind"])
        if likeness.has_content(half):
            written["content"] = f"as told by {mark}"
        place = likeness.labelled(half)
        if names and place is not None:
            written["labels"] = {names[likeness.number % len(names)]: VALUES[place % len(VALUES)]}
        written["as"] = self.name(turn, "record", None, written["summary"])
        sure = first and turn.plane == "live" and turn.surely() and kind is not None
        sure = sure and reviews_each_turn(turn.config) and reads_its_writes(turn.config)
        outcome = "add"
        if before is None:
            self.subjects[turn.seat, likeness] = Subject(mark, turn.made[-1], turn, sure)
        else:
            together = before.turn is turn
            sure = sure and before.sure and (together or before.named.state == "kept")
            outcome = likeness.outcome(labelled=bool(names), together=together)
            turn.ends += [before.named] if outcome == "replace" else []
        return {**written, "gets": {"outcome": outcome}} if sure else written


def _rows(count: int) -> str:
    return "\n" + _ROW * count if count else ""
