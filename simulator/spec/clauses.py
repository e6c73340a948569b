"""The clauses of the memory system: each with its id, which never changes, its group, and what holds in one line.

The only table of them: docs/memory-system.md repeats it with what was settled beyond it, and a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

GROUPS: dict[str, str] = {
    "VIEW": "The view",
    "CTX": "Context",
    "RCL": "Recall",
    "SCH": "Search",
    "HIS": "Session history",
    "REC": "Records",
    "SCO": "Scopes",
    "WRT": "Writing",
    "TXN": "Turns",
    "PIN": "Pins",
    "EXT": "Reviews",
    "PRE": "Preview",
    "ADM": "Operators",
    "VER": "Versions",
}

_HOLDS = {
    "VIEW-1": "A turn sees nothing of another agent.",
    "VIEW-2": "Of sessions, a turn sees its own and no other.",
    "VIEW-3": "A turn sees records of the scopes that its version reads.",
    "VIEW-4": "A live turn sees the live plane; a preview sees both.",
    "VIEW-5": "A view is fixed at the start, plus the turn's own writes.",
    "VIEW-6": "What is out of view answers byte for byte like what never was.",
    "VIEW-7": "A turn without a session has AGENT records only.",
    "CTX-1": "Instructions, state, summary, messages, memory: in this order, and from nothing else.",
    "CTX-2": "A large tool result is set aside, and `read_result` returns it whole.",
    "CTX-3": "A conversation that grows too long has its older messages summed up.",
    "CTX-4": "A session's next turn goes on with its conversation, with a note for each large result.",
    "CTX-5": "A reference answers in its own session and planes.",
    "CTX-6": "The session's state is always reported whole, and carried on by commits only.",
    "CTX-7": "One counter counts tokens: a quarter of the bytes, rounded up.",
    "CTX-8": "The agent is told its scopes, its kinds, and its labels with their descriptions.",
    "RCL-1": "Before each call of a turn, what matches the current work is recalled afresh.",
    "RCL-2": "Recalled text is data: no record can end its block or pass for another.",
    "RCL-3": "What of memory reached the model is recorded, with where it came from.",
    "SCH-1": "A filter is exact and never relaxed; text in any script can be searched.",
    "SCH-2": "Mode, number of hits and least similarity are what the config says.",
    "SCH-3": "A hit tells its score and the three parts of it.",
    "SCH-4": "Keywords weigh by the records in view alone.",
    "SCH-5": "Meaning is the cosine of deterministic embeddings, over every candidate.",
    "SCH-6": "Recency goes by the turns' times, which never go back within a session.",
    "SCH-7": "Equal scores and all listings have one order, newest first.",
    "HIS-1": "`search_history` exists where `history.index` is set, and the agent is told to use it.",
    "HIS-2": "Earlier turns' events are ranked by meaning, keywords and recency.",
    "HIS-3": "The index says what is kept: messages and replies, or outside tools' results too.",
    "HIS-4": "Only what a committed turn said is kept.",
    "HIS-5": "What is kept is decided at the commit, by the version that ran the turn.",
    "HIS-6": "A hit names its turn, its kind and its text; a failed tool's result is kept too.",
    "REC-1": "A record has a summary of one line, 500 characters at most, and tells where it comes from.",
    "REC-2": "Ids are derived from what was written, so that no other turn moves them.",
    "REC-3": "Every change of a record's status is kept, with its maker and its time.",
    "REC-4": "An undeclared kind is refused, with the declared ones and the nearest.",
    "REC-5": "Labels are declared, stored by number, and compared exactly.",
    "REC-6": "Copies are handed out; names compare literally; text that cannot be stored is refused.",
    "SCO-1": "Both scopes default to `session`; an agent without sessions states `agent`.",
    "SCO-2": "A record's scope is the stated one, else the only writable one, else `session`.",
    "WRT-1": "The memory tools exist where they are named, `search_memory` wherever memory is.",
    "WRT-2": "A record is superseded once, by a record of its own that it names.",
    "WRT-3": "What is replaced or deleted is in view, ACTIVE and writable, and keeps its scope.",
    "WRT-4": "A superseded record can be read with its successor, a deleted one cannot.",
    "WRT-5": "A turn reads its own writes at once.",
    "WRT-6": "Helpers read through their parent's view, and never write.",
    "TXN-1": "A turn's writes commit in one transaction, or not at all.",
    "TXN-2": "Of a turn that does not commit, only its execution and transcript stay.",
    "TXN-3": "Sessions may be open side by side; the first to commit wins.",
    "TXN-4": "Closing and reopening the store changes nothing.",
    "TXN-5": "Every model call counts; one too many fails the turn, but a review is put off.",
    "PIN-1": "A record is pinned when it is written, where the config has pins.",
    "PIN-2": "A pin that would exceed the budget is refused, with what to consolidate.",
    "PIN-3": "The instructions list every pin in view, AGENT first, oldest first.",
    "PIN-4": "The listing never exceeds the budget; a line says how many are left out.",
    "EXT-1": "A turn ends with a review of what was said: one model call with purpose `memory`.",
    "EXT-2": "`extraction.every` says how often a review is made.",
    "EXT-3": "A candidate comes to ADD, REPLACE, DELETE or SKIP, or is rejected alone.",
    "EXT-4": "The deterministic reviewer is careful: it never deletes, and in doubt it adds.",
    "EXT-5": "A fact that is saved already, or that an operator deleted, is not added by a review.",
    "EXT-6": "The same review again changes nothing.",
    "PRE-1": "What a preview writes only previews read.",
    "PRE-2": "A preview changes nothing live; it names what it would replace or delete.",
    "PRE-3": "The listing shows what a preview would have changed.",
    "PRE-4": "Live observations do not depend on previews.",
    "ADM-1": "An operator lists an agent's records, and reads one with its history.",
    "ADM-2": "What an operator deletes is gone from memory at once, and stays readable to operators.",
    "ADM-3": "Operators need grants; a missing one is named, and nothing else is told.",
    "ADM-4": "The agent's own tools need no grant.",
    "VER-1": "Later turns run the version deployed last; open ones keep theirs.",
    "VER-2": "A label, once declared, keeps its number in every later version.",
    "VER-3": "Going back is a new version, which keeps the labels declared since.",
    "VER-4": "Records keep the kind and labels they were written with, and are found by them.",
    "VER-5": "Scopes, kinds, pins, search and history may change between versions.",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `holds` is one sentence in our own words; `group` is a key of GROUPS."""

    id: str
    group: str
    holds: str


CLAUSES: dict[str, Clause] = {each: Clause(each, each.split("-")[0], holds) for each, holds in _HOLDS.items()}
