"""What the settings make of findings: which are told, how bad they are, and what is ignored in which files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from ..diagnostic import Diagnostic
from ..document import Document
from ..selection import Choice, chosen, severity_of
from ..suppressions import CODE, of_versions
from . import Exemption, Nearest, Settings


class Rulebook:
    """Which rules report for which file: as the command line says, then as the file's settings say."""

    def __init__(self, command_line: Choice, settings: Nearest) -> None:
        self._command_line = command_line
        self.settings = settings
        self._known: dict[tuple[int, str], bool] = {}

    def layers(self, path: str) -> tuple[Choice, ...]:
        """The choices that hold for the file, the strongest first."""
        return (self._command_line, self.settings.of(path).choice)

    def reports(self, path: str, code: str) -> bool:
        """Whether the findings of rule `code` in the file are told."""
        from ..rules import RULES

        key = (id(self.settings.of(path)), code)
        if key not in self._known:
            opt_in = code in RULES and RULES[code].opt_in
            self._known[key] = chosen(code, self.layers(path), opt_in=opt_in)
        return self._known[key]


def selected(found: Iterable[Diagnostic], unreadable: Collection[str], book: Rulebook) -> list[Diagnostic]:
    """The findings of the rules that report, with the severities of the settings.

    What kept a file of `unreadable` from being read is told always, as the error it is: the file was not linted.
    """
    kept = []
    for each in found:
        if each.path in unreadable:
            kept.append(each)
        elif book.reports(each.path, each.code):
            severity = severity_of(each.code, book.settings.of(each.path).severity)
            kept.append(replace(each, severity=severity) if severity not in (None, each.severity) else each)
    return kept


def exempted(
    found: Iterable[Diagnostic],
    documents: Mapping[str, Document],
    unreadable: Collection[str],
    book: Rulebook,
    compared: Callable[[str], bool],
) -> list[Diagnostic]:
    """The findings that per-file-ignores lets pass, with one more (ST901) for each entry that holds back nothing.

    An entry is judged where a file that it speaks of was linted by its rule; one about versions, where `compared` says
    that the file was compared with another version.
    """
    of = book.settings.of
    used: set[int] = set()
    kept = []
    for each in found:
        held = (
            []
            if each.path in unreadable
            else [it for it in of(each.path).exemptions if _holds(it, each, of(each.path))]
        )
        used.update(id(exemption) for exemption in held)
        if not held:
            kept.append(each)
    linted: dict[int, tuple[Settings, list[str]]] = {}
    for path in documents:
        if path not in unreadable and of(path).exemptions:
            linted.setdefault(id(of(path)), (of(path), []))[1].append(path)
    useless = [it for settings, paths in linted.values() for it in _useless(settings, paths, used, book, compared)]
    return sorted([*kept, *useless], key=lambda each: each.order) if useless else kept


def _holds(exemption: Exemption, found: Diagnostic, settings: Settings) -> bool:
    steps = tuple(map(str, found.pointer[: len(exemption.inside)]))
    return (
        found.code.startswith(exemption.code)
        and steps == exemption.inside
        and exemption.glob.covers(settings.relative(found.path))
    )


def _useless(
    settings: Settings, paths: list[str], used: Collection[int], book: Rulebook, compared: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    from ..rules import RULES

    document = settings.document
    if document is None or not book.reports(document.path, CODE):
        return
    relative = {path: settings.relative(path) for path in paths}
    for exemption in settings.exemptions:
        if id(exemption) in used:
            continue
        codes = [code for code in RULES if code.startswith(exemption.code)]
        spoken_of = [path for path in paths if exemption.glob.covers(relative[path])]
        if any(
            book.reports(path, code) and (not of_versions(code) or compared(path))
            for path in spoken_of
            for code in codes
        ):
            message = "this suppresses nothing: no finding in these files is ignored by it"
            severity = severity_of(CODE, settings.severity) or "warning"
            yield Diagnostic(CODE, severity, document.path, document.span(exemption.at), exemption.at, message)
