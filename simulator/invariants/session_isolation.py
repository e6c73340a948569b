"""session-isolation: what is observed in a session is what the views allow."""

from __future__ import annotations

from .examples import HEADER, add, begin, context, deploy, end, record, said, search, stored
from .history import History
from .judge import forbidden, seen
from .ledger import kept, misplaced
from .probes import observations, probes
from .verdict import Invariant, Verdict

NAME = "session-isolation"
CLAUSES = ("VIEW-1", "VIEW-2", "VIEW-3", "VIEW-4", "VIEW-5", "VIEW-7", "CTX-6")


def check(history: History) -> Verdict:
    """Every sighting, and the scope and session of every record in the ledger."""
    cross = probes(history, lambda against: "VIEW-2" in against and against <= {"VIEW-2", "VIEW-3"})
    checked = {
        "observations": observations(history),
        **seen(history),
        "ledger_records": sum(1 for _ in kept(history)),
        "cross_session_probes": cross,
        "scope_probes": probes(history, lambda against: against == {"VIEW-3"}),
        "sessionless_probes": probes(history, lambda against: against == {"VIEW-7"}),
    }
    ledger = misplaced(NAME, history, {"scope": "SCO-2", "session": "VIEW-2"})
    return Verdict.of(NAME, checked, [*forbidden(NAME, history, CLAUSES), *ledger], cross)


SESSION_ISOLATION = Invariant(
    name=NAME,
    clauses=("VIEW-1", "VIEW-2", "VIEW-3", "VIEW-4", "VIEW-5", "VIEW-7", "CTX-6", "SCO-2"),
    holds_when=(
        "Every record, message, event, reference and state observed in a session is one that the views allow: of its "
        "own agent and session or shared in AGENT scope, in a scope and plane it reads, committed before the turn "
        "began or its own; and every record is kept in the scope and session it was written in."
    ),
    counts={
        "observations": "contexts, answers, refusals and committed states",
        "records": "records shown in them, each traced to the turn that wrote it",
        "messages": "messages shown in them, each traced to the turn that put it in",
        "events": "events of history shown in them, each traced to the turn that it names or that put it in",
        "references": "references to tool results shown in them, each traced to the turn that was told the result",
        "ledger_records": "records of the ledger compared with their write",
        "cross_session_probes": "observations made while another session of the agent had something committed and "
        "kept to itself; without one the verdict is unknown",
        "scope_probes": "observations made while there was a record in a scope that the turn's version does not read",
        "sessionless_probes": "contexts of sessionless turns after an earlier one had a conversation",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "Wire 4471 is approved"),
        add("s0", "mem_wire4471", "Wire 4471 is approved"),
        end("s0"),
        begin("s1", "account-22", "Is wire 4471 approved?"),
        context("s1", messages=said("Is wire 4471 approved?")),
        search("s1"),
        end("s1"),
        stored("mem_wire4471", "s0", "account-17"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "Wire 4471 is approved"),
        add("s0", "mem_wire4471", "Wire 4471 is approved"),
        end("s0"),
        begin("s1", "account-22", "Is wire 4471 approved?"),
        context("s1", recalled=[record("mem_wire4471", "Wire 4471 is approved")]),
        end("s1"),
    ),
)
