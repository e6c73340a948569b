"""A scenario file -> a Script, or the diagnostics that say why not, each with line and column.

Three layers, each only when the one before found no error: reading and the schema (the linter's own ST rules), the
settling of each step, and the script as a whole (checks.py). Configs are linted once per file and loader.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from seatrial.linter import Diagnostic, Document, Span, lint, read_path, schema_diagnostics
from seatrial.linter.limit import limited
from seatrial.schemas.wording import printable, shell

from .checks import check
from .findings import Finding
from .invariants import INVARIANTS, RERUNS
from .rules import RULES
from .script import Pointer, Script
from .settle import settle
from .start import Start, agents_of, errors_of, identified, started

Plain: TypeAlias = Mapping[str, Any]

_NOWHERE = Span(1, 1, 1, 1)
_TAGS = (*(invariant.name for invariant in INVARIANTS), *(second.name for second in RERUNS))


class InvalidScript(Exception):  # noqa: N818 - an answer to expect, told by its name, not an error of ours
    """A file that is no scenario. `diagnostics` say why; `scenario` and `tags` are what could be read all the same."""

    def __init__(self, path: Path, value: Any, diagnostics: Iterable[Diagnostic]) -> None:
        self.path = path
        self.diagnostics = tuple(diagnostics)
        head = value if isinstance(value, Mapping) else {}
        name, tags = head.get("scenario"), head.get("tags")
        self.scenario = name if isinstance(name, str) else ""
        self.tags = tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()
        super().__init__(f"{path} is no scenario: {self.diagnostics[0].message}")

    def __reduce__(self) -> tuple[Any, ...]:
        head = {"scenario": self.scenario, "tags": list(self.tags)}
        return InvalidScript, (self.path, head, self.diagnostics)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scenario that can run, and what its diagnostics only warn of.

    `as_written`: configs were given to start with, and none of them is one of its agents'.
    """

    path: Path
    script: Script
    warnings: tuple[Diagnostic, ...]
    document: Document
    as_written: bool = False

    @property
    def scenario(self) -> str:
        return self.script.scenario

    @property
    def tags(self) -> tuple[str, ...]:
        return self.script.tags

    def place(self, step: str) -> Span:
        """Where what the JSON Pointer `step` leads to stands in the file: its key, where it has one."""
        value, pointer = self.document.value, []
        for part in step.split("/")[1:]:
            key = int(part) if isinstance(value, list) else part.replace("~1", "/").replace("~0", "~")
            pointer.append(key)
            value = value[key]
        return self.document.span(tuple(pointer), "key")


def load_script(path: Path | str) -> Script:
    """The script of one file. Raises InvalidScript."""
    return Loader().load(Path(path)).script


class Loader:
    """Loads scenarios. A config that several of them name is read and linted once.

    The agents of `starts` start with the config there in place of the one that the scenario has for them.
    """

    def __init__(self, starts: Mapping[str, Start] | None = None) -> None:
        self.starts = dict(starts or {})
        self._configs: dict[Path, Document | OSError] = {}
        self._linted: dict[Path, tuple[Diagnostic, ...]] = {}

    def load(self, path: Path) -> Loaded:
        """The scenario of one file. Raises InvalidScript for a file that is none, or cannot be read."""
        try:
            document = read_path(path)
        except OSError as unreadable:
            reason = unreadable.strerror or str(unreadable)
            found = Diagnostic("SC203", "error", str(path), _NOWHERE, (), f"the file cannot be read: {reason}")
            raise InvalidScript(path, None, [found]) from unreadable
        return self.loaded(path, document)

    def loaded(self, path: Path, document: Document) -> Loaded:
        """The scenario of a document as if `path` were its file. Raises InvalidScript."""
        return _Reading(path, document, self).load()

    def config(self, path: Path) -> Document:
        """The document of a config file. Raises OSError."""
        if path not in self._configs:
            try:
                self._configs[path] = read_path(path)
            except OSError as unreadable:
                self._configs[path] = unreadable
        found = self._configs[path]
        if isinstance(found, OSError):
            raise found
        return found

    def linted(self, path: Path) -> tuple[Diagnostic, ...]:
        """The linter's errors in a config file that can be read."""
        if path not in self._linted:
            self._linted[path] = errors_of(lint([self.config(path)]))
        return self._linted[path]


class _Reading:
    """One file on its way to a script, with what was found so far."""

    def __init__(self, path: Path, document: Document, loader: Loader) -> None:
        self.path = path
        self.document = document
        self.loader = loader
        self.found = [each for each in document.diagnostics if not self.is_time(each)]
        if _is_config(document.value):
            lint_it, run_it = shell("seatrial", "lint", path), shell("seatrial", "run", "--config", path)
            told = f"`{lint_it}` checks it, and `{run_it}` plays scenarios on it"
            finding = Finding("SC207", ("harness",), f"this is a config and no scenario: {told}", on_key=True)
            self.found.append(self.placed(finding))
        else:
            self.found += schema_diagnostics(document, "scenario")

    def load(self) -> Loaded:
        self.stop_at_errors()
        script, findings = settle(self.document.value, self.path, self.config)
        self.found += map(self.placed, findings)
        self.stop_at_errors()
        starts = self.loader.starts
        script = started(script, starts)
        self.found += map(self.placed, check(script, _TAGS))
        self.stop_at_errors()
        as_written = bool(starts) and starts.keys().isdisjoint(agents_of(script))
        return Loaded(self.path, script, tuple(_sorted(self.found)), self.document, as_written)

    def is_time(self, diagnostic: Diagnostic) -> bool:
        """Whether it finds that YAML 1.1 would read a date, where the language means one anyway."""
        is_at = diagnostic.pointer == ("start",) or (
            len(diagnostic.pointer) == 4 and (diagnostic.pointer[0], *diagnostic.pointer[2:]) == ("steps", "turn", "at")
        )
        return is_at and diagnostic.code == "ST004" and isinstance(_at(self.document.value, diagnostic.pointer), str)

    def stop_at_errors(self) -> None:
        if errors_of(self.found):
            raise InvalidScript(self.path, self.document.value, limited(self.found))

    def placed(self, finding: Finding) -> Diagnostic:
        return Diagnostic(
            code=finding.code,
            severity=RULES[finding.code].severity,
            path=self.document.path,
            span=self.document.span(finding.pointer, "key" if finding.on_key else "value"),
            pointer=finding.pointer,
            message=printable(finding.message),  # names in it are the script's
        )

    def config(self, written: Any, pointer: Pointer) -> tuple[str, Plain] | None:
        """The agent's name and the config that `written` says; None where there is none, which is then told."""
        if not isinstance(written, str):
            return self.inline(pointer)
        path = Path(written)
        try:
            path = self.beside(written)
            document = self.loader.config(path)
        except (OSError, ValueError) as unreadable:  # ValueError: no file can have such a name
            reason = getattr(unreadable, "strerror", None) or str(unreadable)
            self.found.append(self.placed(Finding("SC203", pointer, f"{path} cannot be read: {reason}")))
            return None
        errors = self.loader.linted(path)
        if errors:
            told = "an error" if len(errors) == 1 else f"{len(errors)} errors"
            self.found += [self.placed(Finding("SC204", pointer, f"{path} has {told} and cannot be deployed")), *errors]
            return None
        return identified(document)

    def inline(self, pointer: Pointer) -> tuple[str, Plain] | None:
        """A config that stands in the script itself: its findings are the script's."""
        part = self.document.part(pointer)
        errors = errors_of(lint([part]))
        if errors:
            self.found += (_under(pointer, error) for error in errors)
            return None
        return part.value.get("agent", "agent"), part.value

    def beside(self, written: str) -> Path:
        """The path of a file that the script names, relative to the script's own."""
        target = (self.path.parent / written).resolve()
        return target if self.path.is_absolute() else Path(os.path.relpath(target))


def _at(value: Any, pointer: Pointer) -> Any:
    for part in pointer:
        value = value[part]
    return value


def _is_config(value: Any) -> bool:
    """Whether it is an agent's config, of which the schema of scenarios would find each key wrong."""
    return isinstance(value, Mapping) and "harness" in value and value.keys().isdisjoint(("scenario", "steps"))


def _sorted(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda diagnostic: diagnostic.order)


def _under(pointer: Pointer, diagnostic: Diagnostic) -> Diagnostic:
    """A finding in a part of the document as one in the document."""
    related = tuple(place._replace(pointer=(*pointer, *place.pointer)) for place in diagnostic.related)
    return replace(diagnostic, pointer=(*pointer, *diagnostic.pointer), related=related)
