"""plane-isolation: a live turn observes nothing that a preview put in."""

from __future__ import annotations

from .examples import HEADER, add, begin, context, deploy, end, search
from .history import History
from .judge import forbidden, seen
from .ledger import kept, misplaced
from .probes import observations, probes
from .verdict import Invariant, Verdict

NAME = "plane-isolation"


def check(history: History) -> Verdict:
    """The sightings of live turns whose origin is a preview turn, and the plane of every record in the ledger."""
    crossed = probes(history, lambda against: against == {"VIEW-4"})
    checked = {
        "observations": observations(history),
        **seen(history),
        "ledger_records": sum(1 for _ in kept(history)),
        "preview_probes": crossed,
    }
    found = [*forbidden(NAME, history, ("VIEW-4",)), *misplaced(NAME, history, {"plane": "PRE-1"})]
    return Verdict.of(NAME, checked, found, crossed)


PLANE_ISOLATION = Invariant(
    name=NAME,
    clauses=("VIEW-4", "PRE-1"),
    holds_when=(
        "Every record, message, event, reference and state that a live turn observes was put in by a live turn, and "
        "every record is kept in the plane it was written in."
    ),
    counts={
        "observations": "contexts, answers, refusals and committed states",
        "records": "records shown in them, each traced to the turn that wrote it",
        "messages": "messages shown in them, each traced to the turn that put it in",
        "events": "events of history shown in them, each traced to the turn that it names or that put it in",
        "references": "references to tool results shown in them, each traced to the turn that was told the result",
        "ledger_records": "records of the ledger compared with their write",
        "preview_probes": "observations of live turns made while a preview turn had committed what only its plane "
        "keeps from them; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "What if fees were charged?", plane="preview"),
        add("s0", "mem_charged0", "Fees are charged"),
        end("s0"),
        begin("s1", "account-17", "Are fees charged?"),
        context("s1"),
        search("s1"),
        end("s1"),
        begin("s2", "account-17", "Are fees charged?", plane="preview"),
        search("s2", "mem_charged0"),
        end("s2"),
    ),
    bad=(
        HEADER,
        deploy(),
        begin("s0", "account-17", "What if fees were charged?", plane="preview"),
        add("s0", "mem_charged0", "Fees are charged"),
        end("s0"),
        begin("s1", "account-17", "Are fees charged?"),
        search("s1", "mem_charged0"),
        end("s1"),
    ),
)
