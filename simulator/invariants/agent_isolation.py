"""agent-isolation: no agent observes anything of another."""

from __future__ import annotations

from .examples import HEADER, add, begin, call, context, deploy, end, said, search
from .history import History
from .judge import forbidden, seen
from .ledger import kept, misplaced
from .probes import observations, probes
from .verdict import Invariant, Verdict

NAME = "agent-isolation"


def check(history: History) -> Verdict:
    """The sightings whose origin is another agent's turn, and the agent of every record in the ledger."""
    cross = probes(history, lambda against: against == {"VIEW-1"})
    checked = {
        "observations": observations(history),
        **seen(history),
        "ledger_records": sum(1 for _ in kept(history)),
        "cross_agent_probes": cross,
    }
    found = [*forbidden(NAME, history, ("VIEW-1",)), *misplaced(NAME, history, {"agent": "VIEW-1"})]
    return Verdict.of(NAME, checked, found, cross)


AGENT_ISOLATION = Invariant(
    name=NAME,
    clauses=("VIEW-1",),
    holds_when=(
        "Every record, message, event, reference and state that a turn observes was put in by a turn of the same "
        "agent, and every record is kept under the agent that wrote it."
    ),
    counts={
        "observations": "contexts, answers, refusals and committed states",
        "records": "records shown in them, each traced to the turn that wrote it",
        "messages": "messages shown in them, each traced to the turn that put it in",
        "events": "events of history shown in them, each traced to the turn that it names or that put it in",
        "references": "references to tool results shown in them, each traced to the turn that was told the result",
        "ledger_records": "records of the ledger compared with their write",
        "cross_agent_probes": "observations made while another agent had something committed in a plane that the turn "
        "sees; without one the verdict is unknown",
    },
    check=check,
    good=(
        HEADER,
        deploy("clerk"),
        deploy("auditor"),
        begin("s0", "account-17", "Runs are on Thursdays"),
        add("s0", "mem_thursday", "Runs are on Thursdays"),
        end("s0"),
        begin("s1", "account-17", "When are runs?", agent="auditor"),
        context("s1", messages=said("When are runs?")),
        search("s1"),
        call("s1", "read_memory", {"id": "mem_thursday"}, None),
        end("s1"),
    ),
    bad=(
        HEADER,
        deploy("clerk"),
        deploy("auditor"),
        begin("s0", "account-17", "Runs are on Thursdays"),
        end("s0"),
        begin("s1", "account-17", "When are runs?", agent="auditor"),
        context("s1", messages=said("Runs are on Thursdays", "When are runs?")),
        end("s1"),
    ),
)
