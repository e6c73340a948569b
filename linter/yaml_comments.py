"""The comments of a YAML text. Knows no config. Import it only where there is YAML to read: it loads PyYAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import yaml

from .places import LINE_BREAK

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may have been built without libyaml
_BREAKS_OF_11 = str.maketrans("\x85\u2028\u2029", "\ue000\ue000\ue000")  # libyaml breaks lines here, YAML 1.2 does not
_SIGN = re.compile(r"(?<![^ \t\r\n])#")


class Comment(NamedTuple):
    """A comment's text after its sign, the offset of that text, and whether nothing stands before it in its line."""

    text: str
    start: int
    alone: bool


def comments(text: str) -> Iterator[Comment]:
    """The comments of a text that the YAML reader took, in order. A # within a text or a block is no comment."""
    taken = list(_scalars(text))
    number = 0
    begin = 0
    for match in [*LINE_BREAK.finditer(text), None]:
        end = match.start() if match else len(text)
        for sign in _SIGN.finditer(text, begin, end):
            at = sign.start()
            while number < len(taken) and taken[number][1] <= at:
                number += 1
            if number == len(taken) or at < taken[number][0]:
                yield Comment(text[at + 1 : end], at + 1, not text[begin:at].strip(" \t"))
                break
        begin = match.end() if match else end


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Where texts stand that may hold a # of their own: quoted ones, and what is below the header of a block.

    Of a second document that cannot be parsed, those before what is wrong in it.
    """
    with suppress(yaml.YAMLError):
        yield from _scalars_up_to_an_error(text)


def _scalars_up_to_an_error(text: str) -> Iterator[tuple[int, int]]:
    for event in yaml.parse(text.translate(_BREAKS_OF_11), Loader=_LOADER):
        if isinstance(event, yaml.ScalarEvent) and event.style is not None:
            assert event.start_mark is not None  # only events made by hand have none
            assert event.end_mark is not None
            start, end = event.start_mark.index, event.end_mark.index
            if event.style in ("|", ">"):
                head = LINE_BREAK.search(text, start, end)
                start = head.end() if head else end
            yield start, end
