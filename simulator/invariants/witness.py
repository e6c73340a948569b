"""How something reached a turn: the shortest path through the graph of who wrote what and what flowed where.

Nodes are turns, what they put in (records, messages, states) and what was observed; an edge says that data went that
way: from a turn to what it put in, from there to whoever observed it, and from an observation to its turn.
networkx is loaded only here, when a violation is explained.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from .history import History
from .model import Origin, Turn, read
from .sightings import Sighting, sightings

if TYPE_CHECKING:
    from networkx import DiGraph

Node: TypeAlias = tuple[str, ...]  # what it is, whose it is, and its words in a witness


def witness(history: History, sighting: Sighting) -> tuple[str, ...]:
    """From the turn that put it in to the observation: `account-17 turn s0`, `add_memory mem_1 (session)`, `recall …`.

    Only the observation, where no turn of the trace put it in.
    """
    if sighting.origin is None:
        return (sighting.where,)
    import networkx

    path = networkx.shortest_path(_flow(history), _turn(sighting.origin.turn), _seen(sighting))
    return tuple(node[-1] for node in path)


@lru_cache(maxsize=1)
def _flow(history: History) -> DiGraph[Node]:
    import networkx

    graph: DiGraph[Node] = networkx.DiGraph()
    written = [write.origin for writes in read(history).writes.values() for write in writes]
    for origin in (*written, *(each.origin for each in sightings(history) if each.origin is not None)):
        graph.add_edge(_turn(origin.turn), _source(origin))
    for sighting in sightings(history):
        if sighting.origin is not None:
            graph.add_edge(_source(sighting.origin), _seen(sighting))
        graph.add_edge(_seen(sighting), _turn(sighting.turn))
    return graph


def _turn(turn: Turn) -> Node:
    return ("turn", turn.id, turn.label)


def _source(origin: Origin) -> Node:
    return ("source", origin.turn.id, origin.source)


def _seen(sighting: Sighting) -> Node:
    return ("seen", sighting.turn.id, sighting.record or "", sighting.where)
