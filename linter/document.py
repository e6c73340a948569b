"""A file as the linter sees it: its value, what reading it found, and where everything in it stands."""

from __future__ import annotations

from functools import cached_property
from io import FileIO
from os import fspath
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from .diagnostic import Diagnostic, Pointer, Related, Span
from .places import Fault, Lines, Node, find

if TYPE_CHECKING:
    from os import PathLike

LARGEST = 1 << 20
_BOM = "\ufeff"

Kind: TypeAlias = Literal["json", "yaml"]


class Reading(Protocol):
    """What a reader makes of a text."""

    value: Any
    faults: list[Fault]

    @property
    def root(self) -> Node: ...


class Document:
    """One file as read. `value` is plain Python values; None where reading found nothing that could be linted.

    `path` is the name the file was given by, `text` its text without a byte-order mark, `diagnostics` what reading
    itself found (ST001 to ST006), in order of place.
    """

    def __init__(self, path: str, text: str, kind: Kind, reading: Reading) -> None:
        self.path = path
        self.text = text
        self.kind = kind
        self.value: Any = reading.value
        self._reading = reading
        self.diagnostics: tuple[Diagnostic, ...] = self._settled(reading.faults) if reading.faults else ()

    @cached_property
    def _lines(self) -> Lines:
        return Lines(self.text)

    def span(self, pointer: Pointer, part: Literal["key", "value"] = "value") -> Span:
        """Where the key or the value at `pointer` stands.

        The whole document and a list's items have no key: their value stands for it. Where the document holds
        nothing at `pointer`, the nearest value around it.
        """
        return self._lines.span(*find(self._reading.root, pointer, part))

    def line(self, number: int) -> str:
        """Line `number` of the text, from 1, without its break; empty past the end."""
        return self._lines.line(number)

    def part(self, pointer: Pointer) -> Document:
        """What stands at `pointer`, as a document of its own with the same lines: a config inside another file.

        What reading found stays with the whole. Raises KeyError or IndexError where nothing stands there.
        """
        value, node = self.value, self._reading.root
        for step in pointer:
            value, node = value[step], node.entries[step].node
        return Document(self.path, self.text, self.kind, _Part(value, node))

    def _settled(self, faults: list[Fault]) -> tuple[Diagnostic, ...]:
        from .rules import severity

        found = [
            Diagnostic(
                fault.code,
                fault.severity or severity(fault.code),
                self.path,
                self._lines.span(fault.start, fault.end),
                fault.pointer,
                fault.message,
                fault.fix,
                tuple(
                    Related(self.path, self._lines.span(mark.start, mark.end), mark.pointer, mark.message)
                    for mark in fault.related
                ),
            )
            for fault in faults
        ]
        return tuple(sorted(found, key=lambda diagnostic: diagnostic.order))


class _Unreadable:
    """The reading of a file that is no text, or too large to look at."""

    def __init__(self, fault: Fault) -> None:
        self.value = None
        self.faults = [fault]
        self.root = Node(0, 0)


class _Part:
    """The reading of a value inside a file."""

    def __init__(self, value: Any, root: Node) -> None:
        self.value = value
        self.root = root
        self.faults: list[Fault] = []


def read_path(path: str | PathLike[str]) -> Document:
    """Reads a file. What is wrong with its content is in the document's diagnostics; OSError if it cannot be read."""
    with FileIO(path) as file:
        return read_bytes(_read(file), path=fspath(path))


def read_stdin() -> Document:
    """Reads standard input, under the name <stdin>. OSError if there is none."""
    with FileIO(0, closefd=False) as file:
        return read_bytes(_read(file), path="<stdin>")


def _read(file: FileIO) -> bytes:
    """The content, or as much of it as shows that it is too large."""
    chunks = []
    left = LARGEST + 1
    while left and (chunk := file.read(left)):  # a pipe hands out less than what is asked for
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def read_bytes(data: bytes, *, path: str, kind: Kind | None = None) -> Document:
    """Reads a file's bytes. `kind` None: by the name's ending, else by how the text begins."""
    if len(data) > LARGEST:
        fault = Fault("ST005", 0, 0, (), f"larger than 1 MiB ({LARGEST:,} bytes)")
        return Document(path, "", kind or "json", _Unreadable(fault))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = len(data[: error.start].decode())
        text = data.decode(errors="replace")
        return Document(path, text, kind or "json", _Unreadable(Fault("ST003", at, at + 1, (), _not_utf8(data, error))))
    return read_text(text, path=path, kind=kind)


def read_text(text: str, *, path: str = "<text>", kind: Kind | None = None) -> Document:
    """Reads a text. `kind` None: by the name's ending, else by how the text begins."""
    marked = text.startswith(_BOM)
    text = text.removeprefix(_BOM)
    kind = kind or _kind(path, text)
    reading: Reading
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        message = f"half a surrogate pair, U+{ord(text[error.start]):04X}: no UTF-8 text can hold it"
        return Document(path, text, kind, _Unreadable(Fault("ST003", error.start, error.end, (), message)))
    if size > LARGEST:
        fault = Fault("ST005", 0, 0, (), f"larger than 1 MiB ({LARGEST:,} bytes)")
        return Document(path, "", kind, _Unreadable(fault))
    if kind == "json":
        from .json_reader import JsonReading

        reading = JsonReading(text)
        if marked:  # YAML allows one
            message = (
                "the file starts with a byte-order mark (BOM), which JSON does not allow: save it as UTF-8 without"
            )
            reading.faults.insert(0, Fault("ST003", 0, 0, (), message, severity="warning"))
    else:
        from .yaml_reader import YamlReading

        reading = YamlReading(text)
    return Document(path, text, kind, reading)


def _kind(path: str, text: str) -> Kind:
    name = path.lower()
    if name.endswith(".json"):
        return "json"
    if name.endswith((".yaml", ".yml")):
        return "yaml"
    return "json" if text.lstrip(" \t\r\n")[:1] == "{" else "yaml"


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    for mark, name in ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16")):
        if data.startswith(mark):
            return f"not UTF-8: the file starts like {name}; save it as UTF-8"
    return f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
