"""Reads YAML as what it means in JSON: libyaml's events, scalars by the YAML 1.2 core schema, everything capped.

Aliases share the value they name and are counted, never expanded. Merge keys are honoured. Import this module only
to read YAML: it loads PyYAML.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeGuard

import yaml

from seatrial.schemas.problem import Fix
from seatrial.schemas.wording import clip, kind_of, quote

from .diagnostic import Pointer
from .places import Entry, Fault, Mark, Node
from .yaml_scalars import (
    NotFiniteError,
    Scalar,
    TooManyDigitsError,
    is_date,
    plain_to_all,
    read_as_in_11,
    resolve,
    surely_text,
    whole,
)

DEEPEST = 64
MOST_ALIASED = 10_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may have been built without libyaml
_CORE = "tag:yaml.org,2002:"
_BREAKS_OF_11 = "\x85\u2028\u2029"  # YAML 1.1, and libyaml, break lines here; YAML 1.2 does not
_STAND_INS = [chr(code) for code in range(0xE000, 0xF8FF)]


class _Mark(Protocol):
    index: int


class Built(NamedTuple):
    """One node as built: value and place, how many nodes it stands for and how many levels it has."""

    value: Any
    node: Node
    size: int
    height: int


class _UnreadableError(Exception):
    """Ends the reading: there is no value to go on with."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


class YamlReading:
    """A YAML text as read: its value (None where there is none to use), its places and the faults of the reading."""

    def __init__(self, text: str) -> None:
        self.value: Any = None
        self.root = Node(0, len(text))
        self.faults: list[Fault] = []
        self._anchors: dict[str, Built | None] = {}  # None: still open
        self._aliased = 0
        self._stand_ins = {}
        if any(char in text for char in _BREAKS_OF_11):
            free = [char for char in _STAND_INS if char not in text]
            self._stand_ins = {ord(new): old for new, old in zip(free, _BREAKS_OF_11, strict=False)}
            text = text.translate({ord(old): chr(new) for new, old in self._stand_ins.items()})
        self._source = text
        try:
            self._document(text)
        except _UnreadableError as stop:
            self.faults.append(stop.fault)

    def _document(self, text: str) -> None:
        loader = None
        try:
            loader = _LOADER(text)
            self._next = loader.get_event
            self._next()  # the start of the stream
            if isinstance(self._next(), yaml.StreamEndEvent):
                self._empty()
                return
            event = self._next()
            built = self._build(event, (), 1)
            self._next()  # the end of the document
            after = self._next()
        except yaml.MarkedYAMLError as error:
            raise _UnreadableError(_unparsed(text, error)) from None
        except yaml.reader.ReaderError as error:
            at = _code_points(text, error)
            message = f"not YAML: the character U+{ord(text[at]):04X} may only be written as an escape"
            raise _UnreadableError(Fault("ST001", at, at + 1, (), message)) from None
        finally:
            if loader is not None:
                loader.dispose()
        if isinstance(after, yaml.DocumentStartEvent):
            start, end = _at(after.start_mark), _at(after.end_mark)
            self.faults.append(Fault("ST003", start, end, (), "a second YAML document starts here: a file holds one"))
        if isinstance(built.value, dict):
            self.value, self.root = built.value, built.node
        elif built.value is None and built.node.start == built.node.end:
            self._empty()
        else:
            message = f"an object is expected at the top, found {kind_of(built.value)}"
            self.faults.append(Fault("ST003", built.node.start, built.node.end, (), message))

    def _empty(self) -> None:
        self.faults.append(Fault("ST003", 0, 0, (), "the file is empty: an object is expected"))

    def _build(self, event: yaml.Event, pointer: Pointer, depth: int) -> Built:
        """Builds the node that `event` begins. Recursion is bounded by the cap on depth."""
        start, end = _at(event.start_mark), _at(event.end_mark)
        if isinstance(event, yaml.ScalarEvent):
            if event.style in ("|", ">"):  # libyaml ends a block where the next token starts
                while end > start and self._source[end - 1] in " \t\r\n":
                    end -= 1
            built = Built(self._scalar(event, start, end, pointer), Node(start, end), 1, 0)
        elif isinstance(event, yaml.AliasEvent):
            assert event.anchor is not None
            return self._alias(event.anchor, start, end, pointer, depth)
        else:
            assert isinstance(event, yaml.CollectionStartEvent)
            if depth > DEEPEST:
                raise _UnreadableError(
                    Fault("ST005", start, start + 1, pointer, f"nested deeper than {DEEPEST} levels")
                )
            if event.anchor is not None:
                self._anchors[event.anchor] = None
            if event.tag not in (None, "!", _CORE + "map", _CORE + "seq"):
                self._tag(event.tag, start, end, pointer)
            build = self._mapping if isinstance(event, yaml.MappingStartEvent) else self._sequence
            built = build(event, start, pointer, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = built
        return built

    def _alias(self, name: str, start: int, end: int, pointer: Pointer, depth: int) -> Built:
        if name not in self._anchors:
            raise _UnreadableError(
                Fault("ST001", start, end, pointer, f"not YAML: no anchor &{clip(name)} before this alias")
            )
        target = self._anchors[name]
        if target is None:
            message = f"the alias *{clip(name)} stands inside what it names: it would expand without end"
            raise _UnreadableError(Fault("ST005", start, end, pointer, message))
        self._aliased += target.size
        if self._aliased > MOST_ALIASED:
            raise _UnreadableError(
                Fault("ST005", start, end, pointer, f"aliases expand to more than {MOST_ALIASED:,} nodes")
            )
        if depth + target.height - 1 > DEEPEST:
            raise _UnreadableError(
                Fault("ST005", start, end, pointer, f"this alias nests deeper than {DEEPEST} levels")
            )
        return target._replace(node=Node(start, end, target.node.entries))

    def _sequence(self, event: yaml.CollectionStartEvent, start: int, pointer: Pointer, depth: int) -> Built:
        value: list[Any] = []
        entries: dict[str | int, Entry] = {}
        node = Node(start, _at(event.end_mark), entries)
        size, height = 1, 0
        while not isinstance(item := self._next(), yaml.SequenceEndEvent):
            built = self._build(item, (*pointer, len(value)), depth + 1)
            entries[len(value)] = Entry(built.node.start, built.node.end, built.node)
            value.append(built.value)
            size, height, node.end = size + built.size, max(height, built.height), built.node.end
        if event.flow_style:
            node.end = _at(item.end_mark)
        return Built(value, node, size, height + 1)

    def _mapping(self, event: yaml.CollectionStartEvent, start: int, pointer: Pointer, depth: int) -> Built:
        value: dict[str, Any] = {}
        entries: dict[str | int, Entry] = {}
        first: dict[str, Node] = {}
        merged: list[Built] = []
        node = Node(start, _at(event.end_mark), entries)
        size, height = 1, 0
        key: str | None
        while not isinstance(item := self._next(), yaml.MappingEndEvent):
            if _is_plain_key(item):  # most keys are, and cost nothing more
                key, merges, place = self._text(item.value), False, Node(_at(item.start_mark), _at(item.end_mark))
            else:
                key, place, merges = self._key(item, pointer, depth)
            inner = pointer if key is None else (*pointer, key)
            built = self._build(self._next(), inner, depth + 1)
            size, height, node.end = size + built.size + 1, max(height, built.height), built.node.end
            if key is None:
                continue
            if key in first:
                related = (Mark(first[key].start, first[key].end, inner, f"{quote(key)} is first given here"),)
                message = f"{quote(key)} is given twice in this object"
                self.faults.append(Fault("ST002", place.start, place.end, inner, message, related=related))
            first.setdefault(key, place)
            if merges:
                merged += self._merged(built, inner)
            else:
                value[key] = built.value
                entries[key] = Entry(place.start, place.end, built.node)
        for built in merged:  # what the object itself says, and what is merged earlier, wins
            for key in built.value:
                if key not in value:
                    value[key] = built.value[key]
                    entries[key] = built.node.entries[key]
        if event.flow_style:
            node.end = _at(item.end_mark)
        return Built(value, node, size, height + 1)

    def _key(self, event: yaml.Event, pointer: Pointer, depth: int) -> tuple[str | None, Node, bool]:
        """The key that `event` begins (None if it is no string), its place, and whether it is a merge key."""
        if isinstance(event, yaml.ScalarEvent):
            if event.value == "<<" and (event.tag == _CORE + "merge" or event.implicit[0]):
                return "<<", Node(_at(event.start_mark), _at(event.end_mark)), True
            before = len(self.faults)
            named = (*pointer, self._text(event.value))
            built = self._build(event, named, depth)
            for at in range(before, len(self.faults)):
                self.faults[at] = _of_key(self.faults[at])
            if len(self.faults) > before and self.faults[-1].severity is None:
                return None, built.node, False
        else:
            named = pointer
            built = self._build(event, named, depth + 1)
        if isinstance(built.value, str):
            return built.value, built.node, False
        said = kind_of(built.value)
        fix = None
        if isinstance(event, yaml.ScalarEvent) and event.value:
            fix = Fix("rename", f'"{event.value}"')
        message = f"a key must be a text, found {said}" + (f"; write {fix.text}" if fix else "")
        self.faults.append(Fault("ST004", built.node.start, built.node.end, named, message, fix))
        return None, built.node, False

    def _merged(self, built: Built, pointer: Pointer) -> list[Built]:
        """The objects that a merge key names: one, or a list of them."""
        if isinstance(built.value, dict):
            return [built]
        if isinstance(built.value, list) and all(isinstance(item, dict) for item in built.value):
            places = [built.node.entries[index].node for index in range(len(built.value))]
            return [Built(item, place, 0, 0) for item, place in zip(built.value, places, strict=True)]
        message = f"<< merges an object or a list of objects, found {kind_of(built.value)}"
        self.faults.append(Fault("ST004", built.node.start, built.node.end, pointer, message))
        return []

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int, pointer: Pointer) -> Scalar:
        text = self._text(event.value)
        if event.tag is None and surely_text(text):
            return text
        if event.tag in ("!", _CORE + "str") or (event.tag is None and not event.implicit[0]):
            return text
        if event.tag is not None:
            return self._tagged(event.tag, text, start, end, pointer)
        return self._plain(text, start, end, pointer)

    def _plain(self, text: str, start: int, end: int, pointer: Pointer) -> Scalar:
        value: Scalar = text
        if is_date(text):
            message = f'YAML 1.1 reads {text} as a date, and JSON has none; write "{text}"'
            self.faults.append(Fault("ST004", start, end, pointer, message, Fix("write", f'"{text}"', safe=True)))
            return value
        try:
            value = resolve(text)
        except NotFiniteError:
            message = f"{clip(text)} is not a finite number, and JSON has no other"
            self.faults.append(Fault("ST004", start, end, pointer, message))
        except TooManyDigitsError:
            self.faults.append(Fault("ST005", start, end, pointer, f"a number of {len(text)} digits"))
        else:
            if (other := read_as_in_11(text)) is not None:
                message = f"YAML 1.2 reads {clip(text)} as {kind_of(value)}, YAML 1.1 as {other}"
                fix = Fix("write", plain_to_all(value), safe=True)
                self.faults.append(Fault("ST006", start, end, pointer, message, fix, severity="warning"))
        return value

    def _tagged(self, tag: str, text: str, start: int, end: int, pointer: Pointer) -> Scalar:
        """A scalar with a tag of the core schema; any other tag has no meaning in JSON."""
        wanted = {"null": type(None), "bool": bool, "int": int, "float": float}.get(tag.removeprefix(_CORE))
        if wanted is None or not tag.startswith(_CORE):
            self._tag(tag, start, end, pointer)
            return text
        try:
            value = resolve(text)
            if wanted is float and isinstance(value, int) and not isinstance(value, bool):
                value = float(whole(text))
        except (NotFiniteError, TooManyDigitsError, OverflowError):
            value = text
        if type(value) is not wanted:
            message = f"{quote(text)} is not what its tag {clip(tag.replace(_CORE, '!!'))} says"
            self.faults.append(Fault("ST004", start, end, pointer, message))
        return value

    def _tag(self, tag: str, start: int, end: int, pointer: Pointer) -> None:
        name = tag.replace(_CORE, "!!")
        message = f"the tag {quote(name)[1:-1]} has no meaning in JSON"
        self.faults.append(Fault("ST004", start, end, pointer, message))

    def _text(self, text: str) -> str:
        return text.translate(self._stand_ins) if self._stand_ins else text


def _at(mark: _Mark | None) -> int:
    return mark.index  # type: ignore[union-attr]  # only events made by hand have none


def _is_plain_key(event: yaml.Event) -> TypeGuard[yaml.ScalarEvent]:
    """Whether the key that `event` begins is a text, whoever reads it, and nothing else is to be said of it."""
    return type(event) is yaml.ScalarEvent and event.tag is None and event.anchor is None and surely_text(event.value)


def _of_key(fault: Fault) -> Fault:
    """What was found in a scalar that is a key. To quote a key that is no text would give it another meaning."""
    if fault.fix is None:
        return fault
    return fault._replace(fix=fault.fix._replace(does="rename", safe=fault.severity is not None))


def _unparsed(text: str, error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    at = 0 if mark is None else mark.index
    problem = error.problem or "it does not follow the grammar"
    if "nesting depth" in problem:
        return Fault("ST005", at, at + 1, (), f"nested deeper than {DEEPEST} levels")
    if text[at : at + 1] == "\t" and ("cannot start any token" in problem or "violates indentation" in problem):
        where = " (below the last line that holds anything)" if not text[at:].strip() else ""
        return Fault("ST001", at, at + 1, (), f"not YAML: a tab cannot indent; write spaces{where}")
    context = f"{error.context}: " if error.context else ""
    return Fault("ST001", at, at + 1, (), f"not YAML: {context}{problem}")


def _code_points(text: str, error: yaml.reader.ReaderError) -> int:
    """The place of a refused character. libyaml, which knows no encoding here, counts it in bytes."""
    at: int = error.position
    if error.encoding == "?":
        at = len(text.encode()[:at].decode(errors="ignore"))
    return min(at, len(text) - 1)
