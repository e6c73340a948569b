"""What the settings make of findings: which are told, how bad they are, and what is ignored in which files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from ..diagnostic import Diagnostic, Pointer
from ..selection import USELESS, Choice, chosen, severity_of
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

    What kept a file of `unreadable` from being read is told always, as the error it is: the file was not linted. So is
    that not all of a file was looked at.
    """
    kept = []
    for each in found:
        if each.cut or each.path in unreadable:
            kept.append(each)
        elif book.reports(each.path, each.code):
            severity = severity_of(each.code, book.settings.of(each.path).severity)
            kept.append(replace(each, severity=severity) if severity not in (None, each.severity) else each)
    return kept


def exempted(
    found: Iterable[Diagnostic],
    readable: Iterable[str],
    book: Rulebook,
    would_find: Callable[[str, str], bool],
    hindered: Collection[tuple[str, str]] = (),
) -> list[Diagnostic]:
    """The findings that per-file-ignores lets pass, with one more (ST901) for each entry that holds back nothing.

    `readable` are the paths of the files that were linted. An entry is judged where this run `would_find` in one of
    them what it holds back (path, code), and errors in none of them `hindered` the rule from finding it.
    """
    linted: dict[str, list[str]] = {}
    settings = {}
    for path in readable:
        own = book.settings.of(path)
        if own.document is not None and own.exemptions:
            settings[own.document.path] = own
            linted.setdefault(own.document.path, []).append(path)
    if not settings:
        return list(found)
    judged = {path for paths in linted.values() for path in paths}
    used: set[tuple[str, Pointer]] = set()
    kept = []
    for each in found:
        held = []
        if each.path in judged and not each.cut:
            own = book.settings.of(each.path)
            assert own.document is not None  # else it would not be judged
            held = [(own.document.path, it.at) for it in own.exemptions if _holds(it, each, own)]
        used.update(held)
        if not held:
            kept.append(each)
    useless = [
        each
        for name, paths in linted.items()
        if would_find(name, USELESS)
        for each in _useless(settings[name], paths, {at for path, at in used if path == name}, would_find, hindered)
    ]
    return sorted([*kept, *useless], key=lambda each: each.order)


def _holds(exemption: Exemption, found: Diagnostic, settings: Settings) -> bool:
    steps = tuple(map(str, found.pointer[: len(exemption.inside)]))
    return (
        found.code.startswith(exemption.code)
        and steps == exemption.inside
        and exemption.glob.covers(settings.relative(found.path))
    )


def _useless(
    settings: Settings,
    paths: list[str],
    used: Collection[Pointer],
    would_find: Callable[[str, str], bool],
    hindered: Collection[tuple[str, str]],
) -> Iterator[Diagnostic]:
    from ..rules import RULES

    document = settings.document
    assert document is not None
    relative = {path: settings.relative(path) for path in paths}
    severity = severity_of(USELESS, settings.severity) or "warning"
    for exemption in settings.exemptions:
        codes = [code for code in RULES if code.startswith(exemption.code)]
        spoken_of = [path for path in paths if exemption.glob.covers(relative[path])]
        if exemption.at in used or any((path, code) in hindered for path in spoken_of for code in codes):
            continue
        if any(would_find(path, code) for path in spoken_of for code in codes):
            message = "this suppresses nothing: no finding in these files is ignored by it"
            yield Diagnostic(USELESS, severity, document.path, document.span(exemption.at), exemption.at, message)
