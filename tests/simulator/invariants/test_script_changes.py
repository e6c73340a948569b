"""How a script is changed for a second run: what is dropped, what is replaced, and what a name still means."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from seatrial.simulator.invariants import History
from seatrial.simulator.invariants.examples import HEADER, add, begin, call, deploy, end
from seatrial.simulator.invariants.model import Unit
from seatrial.simulator.invariants.reruns.change import Changed, change
from seatrial.simulator.invariants.reruns.flows import flows
from seatrial.simulator.script import Action, ContinueStep, DeployStep, ReviewStep, Script, Step, TurnStep

Line = dict[str, Any]
A: Unit = ("clerk", "a")
B: Unit = ("clerk", "b")
BOTH = ("session", "agent")


def act(kind: str, pointer: tuple[str | int, ...] = (), name: str | None = None, /, **arguments: Any) -> Action:
    return Action(kind, arguments, pointer, name)


def turn(place: int, session: str, *do: Action, user: str = "") -> TurnStep:
    return TurnStep(place, ("steps", place), f"s{place}", None, "clerk", session, "live", place, user, do, "commit")


def script(*steps: Step) -> Script:
    return Script("a script", None, (), (), steps)


def changed(told: Script, *lines: Line, drop: tuple[Unit, ...] = (), disguise: tuple[Unit, ...] = ()) -> Changed:
    return change(told, History.parse([HEADER, deploy(read=BOTH, write=BOTH), *lines]), drop, disguise)


def actions(told: Changed, place: int = 0) -> tuple[Action, ...]:
    step = told.script.steps[place]
    assert isinstance(step, TurnStep)
    return step.do


def test_a_dropped_session_goes_with_what_continues_it_and_what_operators_do_to_it() -> None:
    kept = turn(1, "b", act("add_memory", (), "theirs", summary="x"))
    steps: list[Step] = [
        turn(0, "a", act("add_memory", (), "mine", summary="x")),
        kept,
        ContinueStep(2, ("steps", 2), "s0", 2, (), "commit"),
        ReviewStep(3, ("steps", 3), "clerk", "delete", "mine", None, 3),
        ReviewStep(4, ("steps", 4), "clerk", "delete", "theirs", None, 4),
        ReviewStep(5, ("steps", 5), "clerk", "list", None, None, 5),
        DeployStep(6, ("steps", 6), "clerk", {}, "live", 6),
    ]
    told = changed(script(*steps), drop=(A,))
    assert told.script.steps == (kept, *steps[4:])
    assert (told.dropped, told.texts) == (1, 0)


def test_a_name_that_both_define_stays_an_operators_business() -> None:
    steps = (
        turn(0, "a", act("add_memory", (), "it", summary="x")),
        turn(1, "b", act("add_memory", (), "it", summary="x")),
        ReviewStep(2, ("steps", 2), "clerk", "delete", "it", None, 2),
    )
    assert changed(script(*steps), drop=(A,)).script.steps == steps[1:]


def test_times_and_executions_stay_as_first_settled() -> None:
    told = changed(script(turn(0, "a"), turn(1, "b")), drop=(A,))
    (step,) = told.script.steps
    assert isinstance(step, TurnStep)
    assert (step.execution, step.at, step.place) == ("s1", 1, 1)


def test_view_6_a_foreign_name_keeps_its_first_id() -> None:
    """In a helper too; the session's own names are left to its own run."""
    asks = act("search_memory", ("steps", 1, "do", 0), ids=["mine", "theirs", "mem_other"])
    inner = act("read_memory", ("steps", 1, "do", 1, "subagent", "do", 0), id="mine")
    helper = Action("subagent", {}, ("steps", 1, "do", 1), do=(inner,))
    told = changed(
        script(
            turn(0, "a", act("add_memory", (), "mine", summary="x")),
            turn(1, "b", asks, helper, act("add_memory", (), "theirs", summary="y")),
        ),
        begin("s0", "a"),
        add("s0", "mem_mine"),
        end("s0"),
        begin("s1", "b"),
        {
            **call("s1", "search_memory", {"ids": ["mem_mine", "mem_theirs", "mem_other"]}, {"records": []}),
            "step": "/steps/1/do/0",
        },
        {**call("s1", "read_memory", {"id": "mem_mine"}, None), "step": "/steps/1/do/1/subagent/do/0"},
        drop=(A,),
    )
    search, helped, _ = actions(told)
    assert search.arguments == {"ids": ["mem_mine", "theirs", "mem_other"]}
    assert helped.do[0].arguments == {"id": "mem_mine"}


def test_a_name_that_was_never_asked_for_stays() -> None:
    reads = act("read_memory", ("steps", 1, "do", 0), id="mine")
    told = changed(script(turn(0, "a", act("add_memory", (), "mine", summary="x")), turn(1, "b", reads)), drop=(A,))
    assert actions(told) == (reads,)


def test_every_private_text_is_replaced_and_nothing_else() -> None:
    private: dict[str, Line] = {
        "reply": {"text": "Refunds are late"},
        "tool": {"name": "fetch", "result": "12 entries"},
        "set_state": {"state": {"open": ["wire 4471"], "count": 7}},
        "search_history": {"query": "wire 4471", "limit": 3},
        "search_memory": {"query": "wire 4471", "kinds": ["fact"], "labels": {"customer": "c-17"}, "limit": 2},
        "add_memory": {"summary": "Refunds are late", "content": None, "kind": "fact", "labels": {"customer": "c-17"}},
        "read_memory": {"id": "mem_unknown"},
        "fail": {"reason": "enough"},
    }
    do = tuple(act(kind, ("steps", 0, "do", i), **arguments) for i, (kind, arguments) in enumerate(private.items()))
    told = changed(script(turn(0, "a", *do, user="Hello there")), begin("s0", "a"), disguise=(A,))
    reply, tool, state, history, search, added, *rest = actions(told)
    step = told.script.steps[0]
    assert isinstance(step, TurnStep)
    assert len(step.user) == len("Hello there")
    assert step.user != "Hello there"
    assert reply.arguments["text"] == added.arguments["summary"] != "Refunds are late", "equal texts stay equal"
    assert (tool.arguments["name"], len(tool.arguments["result"])) == ("fetch", len("12 entries"))
    assert tool.arguments["result"] != "12 entries"
    ((key, items), (_, count)) = state.arguments["state"].items()
    assert (len(key), key != "open", count) == (4, True, 7)
    assert items == [history.arguments["query"]] == [search.arguments["query"]]
    assert history.arguments["limit"] == 3
    assert search.arguments["labels"] == added.arguments["labels"] != {"customer": "c-17"}, "filters go along"
    assert (search.arguments["kinds"], search.arguments["limit"]) == (["fact"], 2)
    assert (added.arguments["content"], added.arguments["kind"]) == (None, "fact")
    assert rest == [*do[6:]]
    assert told.texts == 7


def test_sco_2_texts_of_agent_records_are_public() -> None:
    """A text that a session shares stays as it is wherever else it says it."""
    shared: Line = {"summary": "Round down", "content": "by ruling", "kind": "guidance", "labels": {"currency": "JPY"}}
    do = (
        act("add_memory", **shared, scope="agent"),
        act("add_memory", summary="Books in JPY", kind="fact", labels={"currency": "JPY", "customer": "c-17"}),
        act("reply", text="Round down"),
    )
    told = changed(script(turn(0, "a", *do)), begin("s0", "a"), disguise=(A,))
    agents, own, reply = actions(told)
    assert (agents, reply) == (do[0], do[2])
    assert own.arguments["labels"]["currency"] == "JPY"
    assert own.arguments["labels"]["customer"] != "c-17"
    assert own.arguments["summary"] != "Books in JPY"


def test_a_disguised_session_changes_in_what_continues_it_too() -> None:
    goes_on = ContinueStep(1, ("steps", 1), "s0", 1, (act("reply", text="Refunds are late"),), "commit")
    told = changed(script(turn(0, "a"), goes_on), begin("s0", "a"), disguise=(A,))
    step = told.script.steps[1]
    assert isinstance(step, ContinueStep)
    assert step.do[0].arguments["text"] != "Refunds are late"


def test_the_models_summary_is_private() -> None:
    first = replace(turn(0, "a"), summary="Refunds are late")
    goes_on = ContinueStep(1, ("steps", 1), "s0", 1, (), "commit", summary="Refunds are late")
    kept = replace(turn(2, "b"), summary="Refunds are late")
    told = changed(script(first, goes_on, kept), begin("s0", "a"), disguise=(A,))
    one, other, third = told.script.steps
    assert isinstance(one, TurnStep)
    assert isinstance(other, ContinueStep)
    assert one.summary == other.summary != "Refunds are late"
    assert third == kept


def test_the_other_sessions_texts_stay() -> None:
    kept = turn(1, "b", act("reply", text="Refunds are late"), user="Hello there")
    told = changed(script(turn(0, "a", user="Hello there"), kept), begin("s0", "a"), disguise=(A,))
    assert told.script.steps[1] == kept


def test_a_stand_in_is_no_text_of_the_script_also_not_of_a_helper() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789".replace("q", "")
    asks = tuple(act("search_memory", query=letter) for letter in letters)
    steps = (turn(0, "a", user="!"), turn(1, "b", Action("subagent", {}, (), do=asks)))
    told = changed(script(*steps), begin("s0", "a"), disguise=(A,))
    step = told.script.steps[0]
    assert isinstance(step, TurnStep)
    assert step.user == "q"


def flowing(*lines: Line, reads: tuple[str, ...] = BOTH) -> frozenset[tuple[Unit, Unit]]:
    return flows(History.parse([HEADER, deploy(read=reads, write=BOTH), *lines]))


def shares(turn_id: str, session: str, outcome: str = "committed", **how: Any) -> list[Line]:
    written = add(turn_id, f"mem_{turn_id}", scope="agent")
    return [begin(turn_id, session, **how), written, end(turn_id, outcome)]


def test_a_flow_runs_from_who_shares_to_who_reads() -> None:
    auditor = deploy("auditor", read=BOTH)
    lines = [auditor, *shares("s0", "a"), begin("s1", "b"), begin("s2", "c", agent="auditor")]
    assert flowing(*lines) == {(A, B)}
    assert flowing(*lines, reads=("session",)) == frozenset()
    assert flowing(begin("s0", "a"), add("s0", "mem_s0"), end("s0"), begin("s1", "b")) == frozenset()


def test_a_flow_runs_from_a_conflict_too_and_from_nothing_else_undone() -> None:
    for outcome, expected in (("conflict", {(A, B)}), ("rolled_back", set()), ("crashed", set()), ("failed", set())):
        assert flowing(*shares("s0", "a", outcome), begin("s1", "b")) == expected


def test_pre_4_a_previews_flow_reaches_previews_only() -> None:
    shared = shares("s0", "a", plane="preview")
    assert flowing(*shared, begin("s1", "b")) == frozenset()
    assert flowing(*shared, begin("s1", "b", plane="preview")) == {(A, B)}
    assert flowing(*shares("s0", "a"), begin("s1", "b", plane="preview")) == {(A, B)}


def test_deleting_a_shared_record_is_a_flow() -> None:
    lines = [*shares("s0", "a"), begin("s1", "b")]
    for key in ("deleted", "would_delete"):
        gone = call("s1", "delete_memory", {"id": "mem_s0", "scope": "agent"}, {key: "mem_s0"})
        assert flowing(*lines, gone, end("s1")) == {(A, B), (B, A)}
