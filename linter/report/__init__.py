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


def fixable(report: Report) -> set[Diagnostic]:
    """The findings that `--fix` corrects."""
    told: dict[str, list[Diagnostic]] = {}
    for each in report.diagnostics:
        told.setdefault(each.path, []).append(each)
    safe = [path for path, found in told.items() if any(each.fix is not None and each.fix.safe for each in found)]
    if not safe:
        return set()
    from .. import fixes

    documents = {document.path: document for document in report.documents}
    return {each for path in safe if path in documents for each in fixes.fixable(documents[path], told[path])}


def summary(report: Report, plain: Collection[Diagnostic]) -> str:
    """`3 errors, 1 warning in 2 of 5 configs; 2 fixable with --fix`, where these two are the `plain` ones.

    After corrections `2 fixed; 1 error in …`; with a baseline, `5 configs, nothing new found`.
    """
    configs = counted(len(report.documents), "config")
    fixed = f"{report.fixed} fixed; " if report.fixed else ""
    if not report.diagnostics:
        return f"{fixed}{configs}, nothing {'new ' if report.new_only else ''}found"
    found = [each.severity for each in report.diagnostics]
    counts = [counted(found.count(kind), kind) for kind in ("error", "warning", "info") if kind in found]
    affected = len({each.path for each in report.diagnostics} & {each.path for each in report.documents})
    told = f"{fixed}{', '.join(counts)} in {affected} of {configs}"
    return f"{told}; {len(plain)} fixable with --fix" if plain and report.fixed is None else told


def said(found: Diagnostic) -> str:
    """The message as it stands without the source beside it: with the key that it is about, where it names none."""
    key = next((part for part in reversed(found.pointer) if isinstance(part, str)), None)
    if key is None or not found.code.startswith(("ST004", "ST006", "ST1", "ST201")) or quote(key) in found.message:
        return found.message
    return f"{printable(clip(key))}: {found.message}"


def counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
