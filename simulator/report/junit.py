"""JUnit's XML, which test reports of CI systems read: a test case a scenario.

No time and no host is in it: the same verdicts give the same bytes. It is ASCII: any stream can carry it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seatrial.linter.relative import relative
from seatrial.linter.report.junit import element, escaped

from ..suite import Judgement
from . import text
from .findings import findings

_SUITE = "seatrial run"


def render(judgements: Sequence[Judgement], root: str) -> str:
    """The document. What is violated or vacuous is a failure, what is invalid or lost an error: it has no verdict."""
    states = [judgement.state for judgement in judgements]
    counts = {
        "tests": len(states),
        "failures": states.count("failed") + states.count("vacuous"),
        "errors": states.count("invalid") + states.count("lost"),
    }
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', element("testsuites", name=_SUITE, **counts)]
    lines.append("  " + element("testsuite", name=_SUITE, **counts))
    for judgement in judgements:
        lines += _case(judgement, root)
    lines += ["  </testsuite>", "</testsuites>"]
    return "".join(f"{line}\n" for line in lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _case(judgement: Judgement, root: str) -> Iterator[str]:
    path = relative(str(judgement.path), root)
    opened = element("testcase", name=path, classname="seatrial.run", file=path)
    told = "\n".join(escaped(line) for line in text.scenario(judgement))
    if judgement.state == "ok":
        yield f"    {opened}"
        yield f"      <system-out>{told}</system-out>"
        yield "    </testcase>"
        return
    found = [each for each in findings(judgement) if each.level == "error"]
    what = ", ".join(dict.fromkeys(each.title for each in found))
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    kind = "error" if judgement.state in ("invalid", "lost") else "failure"
    yield f"    {opened}"
    yield f"      {element(kind, type=what, message=f'{found[0].lines[0]}{more}')}{told}</{kind}>"
    yield "    </testcase>"
