"""The oracle: what a trace must satisfy, told without the engine."""

from __future__ import annotations

from .agent_isolation import AGENT_ISOLATION
from .calls_within_limits import CALLS_WITHIN_LIMITS
from .data_not_instructions import DATA_NOT_INSTRUCTIONS
from .deleted_is_gone import DELETED_IS_GONE
from .flow import FLOW
from .grants_hold import GRANTS_HOLD
from .history import History, TraceError
from .history_confinement import HISTORY_CONFINEMENT
from .hits_complete import HITS_COMPLETE
from .hits_ranked import HITS_RANKED
from .hits_within_filter import HITS_WITHIN_FILTER
from .labels_stable import LABELS_STABLE
from .latest_version_runs import LATEST_VERSION_RUNS
from .no_pile_up import NO_PILE_UP
from .only_the_agent_writes import ONLY_THE_AGENT_WRITES
from .pin_budget import PIN_BUDGET
from .pins_complete import PINS_COMPLETE
from .plane_isolation import PLANE_ISOLATION
from .preview_leaves_live import PREVIEW_LEAVES_LIVE
from .provenance import PROVENANCE
from .records_as_written import RECORDS_AS_WRITTEN
from .reference_confinement import REFERENCE_CONFINEMENT
from .refusals_justified import REFUSALS_JUSTIFIED
from .reruns import RERUNS, Rerun, SecondRun, TraceLike, history_of
from .reviews_complete import REVIEWS_COMPLETE
from .rollback_atomicity import ROLLBACK_ATOMICITY
from .scopes_kept import SCOPES_KEPT
from .session_isolation import SESSION_ISOLATION
from .snapshot_reads import SNAPSHOT_READS
from .still_readable import STILL_READABLE
from .summaries_replace import SUMMARIES_REPLACE
from .supersede_chain import SUPERSEDE_CHAIN
from .uniform_refusal import UNIFORM_REFUSAL
from .uses_recorded import USES_RECORDED
from .verdict import Invariant, Verdict, Violation

INVARIANTS: tuple[Invariant, ...] = (
    SESSION_ISOLATION,
    AGENT_ISOLATION,
    PLANE_ISOLATION,
    HISTORY_CONFINEMENT,
    REFERENCE_CONFINEMENT,
    ROLLBACK_ATOMICITY,
    SNAPSHOT_READS,
    PREVIEW_LEAVES_LIVE,
    ONLY_THE_AGENT_WRITES,
    SUPERSEDE_CHAIN,
    DELETED_IS_GONE,
    STILL_READABLE,
    PIN_BUDGET,
    PINS_COMPLETE,
    USES_RECORDED,
    PROVENANCE,
    LABELS_STABLE,
    RECORDS_AS_WRITTEN,
    SCOPES_KEPT,
    HITS_WITHIN_FILTER,
    HITS_RANKED,
    HITS_COMPLETE,
    DATA_NOT_INSTRUCTIONS,
    SUMMARIES_REPLACE,
    NO_PILE_UP,
    REVIEWS_COMPLETE,
    CALLS_WITHIN_LIMITS,
    GRANTS_HOLD,
    UNIFORM_REFUSAL,
    REFUSALS_JUSTIFIED,
    LATEST_VERSION_RUNS,
    FLOW,
)

__all__ = [
    "INVARIANTS",
    "RERUNS",
    "History",
    "Invariant",
    "Rerun",
    "SecondRun",
    "TraceError",
    "TraceLike",
    "Verdict",
    "Violation",
    "history_of",
]
