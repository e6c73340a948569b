"""Comments in configs that hold findings back, and what is wrong with such comments (ST901).

In YAML a comment on the line of the finding or above it, in either language the `$comment` of the finding's object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from seatrial.schemas.wording import quote

from .diagnostic import Diagnostic, Pointer, Span
from .document import Document
from .selection import USELESS

_FORM = re.compile(r"\s*seatrial:\s*ignore\b(?P<list>\[(?P<codes>[^\]]*)\])?(?P<rest>.*)", re.DOTALL)
_BARE = re.compile(r"[\s:=(]*(?P<words>[A-Za-z][\w-]*(?:[\s,]+[A-Za-z][\w-]*)*)")  # rules without brackets
_WORD = re.compile(r"[^,]+")
_REASON = re.compile(r"\s*(\s(--|#).*)?", re.DOTALL)

_Reach: TypeAlias = tuple[str, str, int | None, Pointer | None]


class Suppression(NamedTuple):
    """One rule that one comment holds back, or what is wrong with the comment: then `problem` says so.

    It holds for findings on line `line`, or for those of the object at `inside`, whichever is not None.
    """

    path: str
    span: Span
    pointer: Pointer
    code: str
    line: int | None = None
    inside: Pointer | None = None
    problem: str | None = None


def suppressions(document: Document) -> list[Suppression]:
    """What the comments of a document hold back, in order of place. Empty for one that could not be read."""
    if document.value is None:
        return []
    found = list(_in_values(document, document.value, ()))
    if document.kind == "yaml":
        found += _in_comments(document)
    return list(_each_once(sorted(found, key=lambda each: each.span)))


def _each_once(found: Iterable[Suppression]) -> Iterator[Suppression]:
    """What holds back the same rule in the same place a second time is told as that."""
    seen = set()
    for each in found:
        same = (each.code, each.line, each.inside)
        again = each.problem is None and same in seen
        seen.add(same)
        yield each._replace(code="", problem=f"{each.code} is held back here already") if again else each


def _in_comments(document: Document) -> Iterator[Suppression]:
    from .yaml_comments import comments

    every = list(comments(document.text))
    alone = {document.stretch(each.start - 1, each.start).line for each in every if each.alone}
    below: dict[int, int] = {}  # for the line of a comment that stands alone the next line that holds more
    for line in sorted(alone, reverse=True):
        below[line] = below.get(line + 1, line + 1)
    for comment in every:
        line = document.stretch(comment.start - 1, comment.start).line
        line = below.get(line, line)
        offset = comment.start
        for part in re.split("(#)", comment.text):  # a reason may come first: # why # seatrial: ignore[…]
            yield from _parsed(part, document, (), line=line, offset=offset)
            offset += len(part)


def _in_values(document: Document, value: Any, pointer: Pointer) -> Iterator[Suppression]:
    """Those in `$comment`, of every object; what an alias stands for is looked at once."""
    seen: set[int] = set()
    left: list[tuple[Any, Pointer]] = [(value, pointer)]
    while left:
        inner, at = left.pop()
        if not isinstance(inner, dict | list) or id(inner) in seen:
            continue
        seen.add(id(inner))
        if isinstance(inner, list):
            left += [(item, (*at, index)) for index, item in enumerate(inner)]
            continue
        left += [(item, (*at, key)) for key, item in inner.items()]
        comment = inner.get("$comment")
        if isinstance(comment, str):
            yield from _parsed(comment, document, (*at, "$comment"), inside=at)


def _parsed(
    text: str,
    document: Document,
    pointer: Pointer,
    *,
    line: int | None = None,
    inside: Pointer | None = None,
    offset: int | None = None,
) -> Iterator[Suppression]:
    """What a comment's text says: one suppression a rule. `offset` is where the text stands, if it stands there raw."""
    match = _FORM.match(text)
    if match is None:
        return

    def place(start: int, end: int) -> Span:
        return document.span(pointer) if offset is None else document.stretch(offset + start, offset + end)

    def wrong(start: int, end: int, problem: str) -> Suppression:
        return Suppression(document.path, place(start, end), pointer, "", problem=problem)

    begin = len(text) - len(text.lstrip())
    if match["list"] is None:
        bare = _BARE.match(text, match.start("rest"))
        named = [it for it in re.split(r"[\s,]+", bare["words"]) if _rule(it) is not None] if bare else []
        if bare is not None and named:
            said = f"rules stand in brackets: write `seatrial: ignore[{', '.join(named)}]`"
            yield wrong(begin, bare.end(), said)
        else:
            yield wrong(begin, match.start("rest"), "it names no rule: write `seatrial: ignore[CODE]`")
    elif not _REASON.fullmatch(match["rest"]):
        yield wrong(begin, len(text.rstrip()), "after the brackets only a reason may stand, after ` -- `")
    else:
        words = list(_WORD.finditer(text, match.start("codes"), match.end("codes")))
        if not match["codes"].strip():
            yield wrong(begin, match.end("list"), "it names no rule: write `seatrial: ignore[CODE]`")
        for word in words:
            said = word.group().strip()
            start = word.start() + len(word.group()) - len(word.group().lstrip())
            code = _rule(said)
            if code is None:
                yield wrong(start, start + len(said), _no_rule(said))
            elif code == USELESS:
                yield wrong(
                    start, start + len(said), f"{USELESS} is not held back by a comment: ignore it in the settings"
                )
            else:
                span = place(start, start + len(said))
                yield Suppression(document.path, span, pointer, code, line, inside)


def _rule(said: str) -> str | None:
    """The one rule that is named, by code or name. A beginning of codes would hold back what nobody thought of."""
    from .rules import RULES
    from .selection import code_of

    code = code_of(said)
    return code if code in RULES else None


def _no_rule(said: str) -> str:
    from .selection import code_of, unknown_code

    if code_of(said) is not None:
        return f"{quote(said)} is the beginning of several codes: name each rule"
    return unknown_code(said)


def suppressed(
    found: Sequence[Diagnostic],
    comments: Iterable[Suppression],
    documents: Mapping[str, Document],
    would_find: Callable[[str, str], bool] = lambda path, code: True,
) -> list[Diagnostic]:
    """The findings that no comment holds back, with one more (ST901) for each comment that holds back nothing.

    A comment is judged only where this run `would_find` what it holds back (path, code), and no error hides it.
    """
    comments = list(comments)
    stated = {_reach(each) for each in comments if each.problem is None}
    of_use = set()
    kept = []
    left: dict[tuple[str, str], Diagnostic] = {}  # of each file and rule the first that is told
    commented = {each.path for each in comments}
    for each in found:
        reached = stated.intersection(_reaches(each, documents[each.path])) if each.path in commented else None
        if reached:
            of_use |= reached
        else:
            kept.append(each)
            left.setdefault((each.path, each.code), each)
    idle = [it for it in comments if _reach(it) not in of_use or it.problem is not None]
    wrong = _Wrong(found, documents)
    for comment in idle:
        judged = would_find(comment.path, USELESS) and (comment.problem is not None or not wrong.may_hide(comment))
        if judged and (comment.problem is not None or would_find(comment.path, comment.code)):
            message = comment.problem or _useless(comment, left.get((comment.path, comment.code)))
            said = documents[comment.path].line(comment.span.line)[
                comment.span.column - 1 : comment.span.end_column - 1
            ]
            about = (said, comment.code)
            kept.append(
                Diagnostic(USELESS, "warning", comment.path, comment.span, comment.pointer, message, about=about)
            )
    return sorted(kept, key=lambda each: each.order) if idle else kept


class _Wrong:
    """Where reading and the schema found errors: what else is wrong there is not told."""

    def __init__(self, found: Iterable[Diagnostic], documents: Mapping[str, Document]) -> None:
        self._errors: dict[str, list[Diagnostic]] = {}
        self._documents = documents
        self._places: dict[str, tuple[set[Pointer], set[Pointer], set[int]]] = {}
        for each in found:
            if each.severity == "error" and _by_form(each.code) and each.code != "ST402":  # of a name alone
                self._errors.setdefault(each.path, []).append(each)

    def may_hide(self, comment: Suppression) -> bool:
        """Whether what the comment speaks of may be there, and not be told because of an error."""
        if comment.path not in self._errors:
            return False
        if _by_form(comment.code) and not comment.code.startswith(("ST0", "ST1", "ST402")):
            return True  # a condition between settings, which waits until all of them are in order
        at, around, lines = self._of(comment.path)
        if comment.inside is None:
            return comment.line in lines
        starts = (comment.inside[:length] for length in range(len(comment.inside) + 1))
        return comment.inside in around or any(start in at for start in starts)

    def _of(self, path: str) -> tuple[set[Pointer], set[Pointer], set[int]]:
        """The pointers of the errors, those of the objects that hold them, and the lines of what is wrong."""
        if path not in self._places:
            at: set[Pointer] = set()
            around: set[Pointer] = set()
            lines: set[int] = set()
            for each in self._errors[path]:
                lines.update(range(each.span.line, each.span.end_line + 1))
                if each.pointer and each.code != "ST104":  # of a missing key the whole object would be hidden
                    at.add(each.pointer)
                    around.update(_holders(each.pointer))
                    span = self._documents[path].span(each.pointer)
                    lines.update(range(span.line, span.end_line + 1))
            self._places[path] = at, around, lines
        return self._places[path]


def _by_form(code: str) -> bool:
    """Whether reading or the agent schema decides it."""
    from .rules import RULES
    from .selection import of_versions

    return RULES[code].check is None and not of_versions(code) and code != USELESS


def _reach(comment: Suppression) -> _Reach:
    return (comment.path, comment.code, comment.line, comment.inside)


def _reaches(found: Diagnostic, document: Document) -> Iterator[_Reach]:
    """What the comments that cover a finding reach: its line or that of its key, or its object."""
    if found.cut:
        return
    for line in (found.span.line, document.span(found.pointer, "key").line):
        yield (found.path, found.code, line, None)
    for pointer in _holders(found.pointer):
        yield (found.path, found.code, None, pointer)


def _holders(pointer: Pointer) -> Iterator[Pointer]:
    """The pointer, and those of what it is in up to the object that holds it, through lists."""
    yield pointer
    for length in range(len(pointer) - 1, -1, -1):
        yield pointer[:length]
        if isinstance(pointer[length], str):
            return


def _useless(comment: Suppression, same: Diagnostic | None) -> str:
    where = f"; it finds something in line {same.span.line}" if same else ""
    return f"this suppresses nothing: {comment.code} finds nothing here{where}"
