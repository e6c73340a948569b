"""One run of the linter over files: from documents to what is told of them, by the settings and the comments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from .chain import Chain, Past, chains
from .check import findings
from .diagnostic import Diagnostic
from .document import Document
from .selection import SIGNAL, of_versions
from .settings.stages import Rulebook, exempted, selected

if TYPE_CHECKING:
    from .suppressions import Suppression


class Run:
    """What was read and which rules report. Each stage takes findings and gives findings.

    `documents` are those that were taken, by path; `unreadable` the paths of those without a value, `partly` of those
    in which not everything was looked for; `hindered` are paths with the codes of rules that errors in the file kept
    from judging all of it. `past` is what they are compared with besides each other.
    """

    def __init__(self, book: Rulebook, past: Past | None = None) -> None:
        self._book = book
        self._past = past
        self.documents: dict[str, Document] = {}
        self.unreadable: set[str] = set()
        self.partly: set[str] = set()
        self.hindered: set[tuple[str, str]] = set()

    def findings(self, documents: Iterable[Document], opt_in: Collection[str]) -> list[Diagnostic]:
        """What the rules find in the documents, but for what comments and settings hold back. Raises UnusableError."""
        comments: list[Suppression] = []

        def taken() -> Iterator[Document]:
            for document in documents:
                self.documents[document.path] = document
                if document.value is None:
                    self.unreadable.add(document.path)
                if SIGNAL in document.text:
                    from .suppressions import suppressions

                    comments.extend(suppressions(document))
                yield document

        found = findings(taken(), opt_in, past=self._past, hindered=self.hindered)
        self.partly.update(each.path for each in found if each.cut)
        if comments:
            from .suppressions import suppressed

            found = suppressed(found, comments, self.documents, self.would_find)
        found = selected(found, self.unreadable, self._book)
        readable = [path for path in self.documents if path not in self.unreadable]
        return exempted(found, readable, self._book, self.would_find, self.hindered)

    def would_find(self, path: str, code: str) -> bool:
        """Whether rule `code` would tell of the file, were there something to tell.

        It must report for the file, and have judged all of it; and a rule about versions has nothing to go by where the
        file is the only one.
        """
        hindered = path in self.partly or (path, code) in self.hindered
        judged = not hindered and (not of_versions(code) or path in self._compared)
        return judged and self._book.reports(path, code)

    @property
    def everything(self) -> dict[str, Document]:
        """All documents that findings stand in, by path: the configs, the settings, and what a git revision holds."""
        earlier = self._past.documents if self._past else {}
        return {**{each.path: each for each in self._book.settings.documents}, **earlier, **self.documents}

    @cached_property
    def _chains(self) -> list[Chain]:
        return chains(self.documents.values(), self._past)

    @cached_property
    def _compared(self) -> frozenset[str]:
        return frozenset(document.path for chain in self._chains if chain.is_compared for document in chain.documents)

    @property
    def followers(self) -> frozenset[str]:
        """The paths of the documents that were compared with the past."""
        return frozenset(document.path for chain in self._chains if chain.before for document in chain.documents)
