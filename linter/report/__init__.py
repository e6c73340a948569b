"""One formatter a file: a list of diagnostics in, text out."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

from seatrial.schemas.wording import clip, printable, quote

from ..diagnostic import Diagnostic, Severity
from ..document import Document
from ..relative import relative

Format: TypeAlias = Literal["text", "concise", "json", "sarif", "github", "junit"]
FORMATS: tuple[Format, ...] = get_args(Format)  # each is a module here that defines `render`


class Report(NamedTuple):
    """What a run of the linter has to say: the configs it read, and the findings in order.

    `others` are further files that findings stand in: settings, and what a git revision holds, whose paths are in
    `past`. `problems` says, a line each, what could not be read. `root` is the folder that paths are told from, in
    formats whose readers know a repository and no current folder.
    """

    documents: Sequence[Document]
    diagnostics: Sequence[Diagnostic]
    others: Sequence[Document] = ()
    problems: Sequence[str] = ()
    failing: tuple[Severity, ...] = ("error",)
    root: str = "."
    past: Collection[str] = ()
    new_only: bool = False  # whether a baseline holds back what was found before
    fixed: int | None = None  # how many findings were corrected; None where that was not asked for

    def named(self, path: str) -> str:
        """The path from the root; a past document keeps the name that git gives it."""
        return path if path in self.past else relative(path, self.root)


def render(report: Report, form: Format, *, color: bool) -> str:
    """The report as text that ends with a line break; empty where the format has nothing to say."""
    text: str = importlib.import_module(f".{form}", __name__).render(report, color=color)
    return text


def summary(report: Report) -> str:
    """`2 fixed; 3 errors, 1 warning in 2 of 5 configs`, or `5 configs, nothing found`; `nothing new` by a baseline."""
    configs = counted(len(report.documents), "config")
    fixed = f"{report.fixed} fixed; " if report.fixed else ""
    if not report.diagnostics:
        return f"{fixed}{configs}, nothing {'new ' if report.new_only else ''}found"
    found = [each.severity for each in report.diagnostics]
    counts = [counted(found.count(kind), kind) for kind in ("error", "warning", "info") if kind in found]
    affected = len({each.path for each in report.diagnostics} & {each.path for each in report.documents})
    told = f"{fixed}{', '.join(counts)} in {affected} of {configs}"
    count = 0 if report.fixed is not None else _fixable(report)
    return f"{told}; {count} fixable with --fix" if count else told


def _fixable(report: Report) -> int:
    safe = [each for each in report.diagnostics if each.fix is not None and each.fix.safe]
    if not safe:
        return 0
    from ..edits import fixable

    documents = {document.path: document for document in report.documents}
    return sum(fixable(documents.get(each.path), each) for each in safe)


def said(found: Diagnostic) -> str:
    """The message as it stands without the source beside it: with the key that it is about, where it names none."""
    key = next((part for part in reversed(found.pointer) if isinstance(part, str)), None)
    if key is None or not found.code.startswith(("ST004", "ST006", "ST1", "ST201")) or quote(key) in found.message:
        return found.message
    return f"{printable(clip(key))}: {found.message}"


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
