"""What can carry text to what in one config: a directed graph, and the paths by which a session reaches another.

Loads networkx, so only what draws or prints a path calls it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from .settled import MEMORY, Settled

if TYPE_CHECKING:
    from networkx import DiGraph

EVERYONE = "every session"
CONTEXT = "context"
_READERS = ("recall", "search_memory", "read_memory", "pins")


class Flow(NamedTuple):
    """The graph of one config: nodes named as people say them, edges where text can go, both in reading order.

    `kept` are the nodes that outlive a turn, `own` those of them that belong to one session.
    """

    graph: DiGraph[str]
    kept: tuple[str, ...]
    own: tuple[str, ...]
    everyone: str  # who reads what all share: every session, or every turn of an agent without sessions

    @property
    def edges(self) -> list[tuple[str, str]]:
        return list(self.graph.edges)

    def path(self, source: str) -> list[str]:
        """A shortest way from `source` to every session, the first in reading order; empty where there is none."""
        import networkx

        graph = self.graph
        if self.everyone not in graph or not networkx.has_path(graph, source, self.everyone):
            return []
        order = {node: number for number, node in enumerate(graph)}
        paths = networkx.all_shortest_paths(graph, source, self.everyone)
        return min(paths, key=lambda path: [order[node] for node in path])

    def escapes(self) -> list[list[str]]:
        """The ways by which what is one session's own can reach every session, one for each kind of thing kept."""
        return [path for source in self.own if (path := self.path(source))]


def flow(config: Settled) -> Flow:
    """The flow of a config. Raises Unsound where an error stands in what decides it.

    Deleting and filtering carry no text, so `delete_memory` is no node; helpers read on behalf of the turn (WRT-6).
    """
    import networkx

    graph: DiGraph[str] = networkx.DiGraph()
    sessions = config.sessions
    everyone = EVERYONE if sessions else "every turn"
    own: list[str] = []
    if sessions:  # VIEW-7: without sessions nothing of these is carried on
        own += ["conversation", "state"]
        if config.value("harness", "history", "index") is not None:
            own.append("history")
    shared: list[str] = []
    if config.enabled:
        used = [*config.read, *config.write]
        own += ["session record"] * ("session" in used)
        shared += ["agent record"] * ("agent" in used)
    graph.add_nodes_from([*own, *shared])
    _reads(graph, config)
    graph.add_edge(CONTEXT, "messages")
    if sessions:
        graph.add_edge("messages", "conversation")
        graph.add_edge(CONTEXT, "state")
        if "history" in own:
            graph.add_edge("messages", "history")
    if config.enabled:
        _writes(graph, config)
        if shared:
            graph.add_edge("agent record", everyone)
    return Flow(graph, (*own, *shared), tuple(own), everyone)


def said(path: list[str]) -> str:
    """A path for people: `session record -> recall -> add_memory(agent) -> every session`.

    What every such path passes, the context and the shared records, is left out.
    """
    return " -> ".join(node for node in path if node not in (CONTEXT, "agent record"))


def _reads(graph: DiGraph[str], config: Settled) -> None:
    """What reaches the context: CTX-1, HIS-2, RCL-1, SCH-1, PIN-3."""
    for carried in ("conversation", "state"):
        if carried in graph:
            graph.add_edge(carried, CONTEXT)
    if "history" in graph:
        _chain(graph, "history", "search_history", CONTEXT)
    graph.add_node(CONTEXT)
    if not config.enabled:
        return
    for reader in _READERS:
        if reader == "read_memory" and reader not in config.tools:
            continue
        if reader == "pins" and not config.stated(*MEMORY, "pinned"):
            continue
        for scope in ("session", "agent"):
            if scope in config.read:
                _chain(graph, f"{scope} record", reader, CONTEXT)


def _writes(graph: DiGraph[str], config: Settled) -> None:
    """What becomes a record: WRT-1, EXT-1. A review reads the messages, not what was recalled."""
    for scope in ("session", "agent"):
        if scope not in config.write:
            continue
        if "add_memory" in config.tools:
            _chain(graph, CONTEXT, f"add_memory({scope})", f"{scope} record")
        _chain(graph, "messages", f"extraction({scope})", f"{scope} record")


def _chain(graph: DiGraph[str], *nodes: str) -> None:
    """Adds the edges from each node to the next."""
    graph.add_edges_from(pairwise(nodes))
