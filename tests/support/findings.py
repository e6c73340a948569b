"""Reports with findings of any kind, for the formats: hostile names, hostile words, places anywhere."""

from __future__ import annotations

from hypothesis import strategies as st

from seatrial.linter import Diagnostic, Fix, Related, Severity, Span, read_text
from seatrial.linter.report import Report
from seatrial.linter.rules import RULES

PATHS = st.sampled_from(
    ["v1.json", "a b/v1.json", "100%/#1?.json", "a:b.json", "顧客/v1.yaml", "new\nline.json", "\x1b[31m.json",
     "/nowhere/else/v1.json", "../above.json", "C:\\configs\\v1.json", "\udcff.json", "<stdin>", "a,b::c.json",
     "'\"<&>.json", "[x](1).json", "{0}.json"]
)  # fmt: skip
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["100%", "a\r\nb", "::error::x", "]]>", "{0} [x](1)", "\x00\x1b\u202e", "\ufffe"]
)
POINTERS = st.lists(TEXTS | st.integers(0, 9), max_size=3).map(tuple)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """A span whose end is not before its start."""
    line, column = draw(st.integers(1, 99)), draw(st.integers(1, 99))
    end_line = line + draw(st.integers(0, 2))
    return Span(line, column, end_line, draw(st.integers(column if end_line == line else 1, 200)))


DIAGNOSTICS = st.builds(
    Diagnostic,
    code=st.sampled_from(sorted(RULES)),
    severity=st.sampled_from(["error", "warning", "info"]),
    path=PATHS,
    span=spans(),
    pointer=POINTERS,
    message=TEXTS,
    fix=st.none() | st.builds(Fix, st.sampled_from(["write", "rename"]), TEXTS, st.booleans()),
    related=st.lists(st.builds(Related, PATHS, spans(), POINTERS, TEXTS), max_size=2).map(tuple),
)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A report whose findings stand in some of its configs, or in other files."""
    documents = [read_text("{}", path=path, kind="json") for path in draw(st.lists(PATHS, unique=True, max_size=4))]
    failing: tuple[Severity, ...] = draw(st.sampled_from([("error",), ("error", "warning")]))
    found = draw(st.lists(DIAGNOSTICS, max_size=5))
    return Report(documents, found, problems=draw(st.lists(TEXTS, max_size=2)), failing=failing)
