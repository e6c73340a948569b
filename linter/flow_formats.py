"""A flow as text, Mermaid or DOT; as SVG see `flow_svg`. The same flow always gives the same bytes."""

from __future__ import annotations

from itertools import pairwise

from .flow import CONTEXT, Flow, said


def draw(flow: Flow, form: str) -> str:
    """The flow in the format `form`: text, mermaid, dot or svg. Ends with a line break."""
    if form == "svg":
        from .flow_svg import svg

        return svg(flow)
    return {"text": text, "mermaid": mermaid, "dot": dot}[form](flow)


def text(flow: Flow) -> str:
    """One line a node with all that it reaches, then what of a session can reach others."""
    lines = [
        f"{node} -> {', '.join(flow.graph.successors(node))}" for node in flow.graph if flow.graph.out_degree(node)
    ]
    return "\n".join([*lines, "", *verdict(flow)]) + "\n"


def verdict(flow: Flow) -> list[str]:
    """What the flow comes to, in words."""
    if not flow.own:
        return ["No sessions: nothing is one session's own."]
    escapes = flow.escapes()
    if not escapes:
        return ["What is one session's stays in that session."]
    return ["What is one session's can reach others:", *(f"  {said(path)}" for path in escapes)]


def mermaid(flow: Flow) -> str:
    """A Mermaid flowchart. Kept things are drawn as stores; what crosses to others is thick."""
    ids = {node: f"n{number}" for number, node in enumerate(flow.graph)}
    lines = ["flowchart LR"]
    for node, name in ids.items():
        left, right = ("[(", ")]") if node in flow.kept else ("([", "])") if node == flow.everyone else ("[", "]")
        lines.append(f'    {name}{left}"{_entities(node)}"{right}')
    crossing = crossings(flow)
    lines += [f"    {ids[a]} {'==>' if (a, b) in crossing else '-->'} {ids[b]}" for a, b in flow.edges]
    return "\n".join(lines) + "\n"


def dot(flow: Flow) -> str:
    """A Graphviz digraph."""
    lines = ["digraph flow {", "    rankdir=LR;", '    node [shape=box, fontname="sans-serif"];']
    for node in flow.graph:
        shape = (
            " [shape=cylinder]" if node in flow.kept else " [shape=oval]" if node in (flow.everyone, CONTEXT) else ""
        )
        lines.append(f"    {_quoted(node)}{shape};")
    crossing = crossings(flow)
    lines += [
        f"    {_quoted(a)} -> {_quoted(b)}{' [penwidth=2.5]' if (a, b) in crossing else ''};" for a, b in flow.edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def crossings(flow: Flow) -> frozenset[tuple[str, str]]:
    """The edges of the shortest ways from one session to others."""
    return frozenset(edge for path in flow.escapes() for edge in pairwise(path))


def _entities(name: str) -> str:
    return name.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
