"""A file as the linter sees it: its value, what reading it found, and where everything in it stands."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from errno import ETIMEDOUT
from functools import partial
from io import FileIO
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from . import limit
from .diagnostic import Diagnostic, Pointer, Related, Span
from .places import Entry, Fault, Lines, Node, find, path

if TYPE_CHECKING:
    from os import PathLike

LARGEST = 1 << 20
_CHUNK = 1 << 14  # a buffer is made for what is asked for, and most configs are small
_SMALL = 1 << 12  # a value that takes no more than so many bytes is kept, where a larger one is read again
_PATIENCE = 10.0  # seconds that a named pipe may take until something comes through it
_BOM = "\ufeff"

Kind: TypeAlias = Literal["json", "yaml", "toml"]  # settings are TOML, configs are not


class Reading(Protocol):
    """What a reader makes of a text."""

    value: Any
    faults: list[Fault]

    @property
    def root(self) -> Node: ...


class Document:
    """One file as read. `value` is plain Python values; None where reading found nothing that could be linted.

    `path` is the name the file was given by, `text` its text without a byte-order mark, `marked` whether it has one,
    `diagnostics` what reading itself found (ST001 to ST006), in order of place. A document that is
    parked answers as before, a little later.
    """

    __slots__ = ("_lines", "_packed", "_reading", "_source", "_text", "_value", "diagnostics", "kind", "marked", "path")

    def __init__(
        self, path: str, text: str, kind: Kind, reading: Reading, source: Callable[[], Document] | None = None
    ) -> None:
        self.path = path
        self.kind = kind
        self.marked = False
        self._text: str | None = text
        self._reading: Reading | None = reading
        self._value = reading.value
        self._packed: bytes | None = None
        self._source = source  # reads the file again
        self._lines: Lines | None = None
        self.diagnostics: tuple[Diagnostic, ...] = self._settled(reading.faults) if reading.faults else ()

    @property
    def value(self) -> Any:
        if self._value is None and self._packed is not None:
            packed = self._packed
            # A file that has changed meanwhile may hold nothing that could be linted.
            self._value = marshal.loads(packed) if packed else self._wake().value or {}  # noqa: S302  # packed by `park`
        return self._value

    @property
    def text(self) -> str:
        if self._text is None:
            self._wake()
        return self._text or ""

    def park(self, *, keep_text: bool = False) -> None:
        """Keeps little of what was read: what is asked for again is unpacked, or read from the text or the file again.

        So that memory does not grow with all that was ever read. Without a file to read again the text stays. A file
        that is gone by then has no text, and its places are all 1:1.
        """
        if self._value is None or isinstance(self._reading, _Part):
            return
        if self._packed is None:
            packed = marshal.dumps(self._value)
            self._packed = packed if self._source is None or len(packed) <= _SMALL else b""
        self._value = self._reading = self._lines = None
        if self._source is not None and not keep_text:
            self._text = None

    def _wake(self) -> Reading:
        if self._reading is None:
            if self._text is None:
                assert self._source is not None  # else `park` keeps the text
                again = self._source()
            else:
                again = read_text(self._text, path=self.path, kind=self.kind)
            self._text, self._reading = again._text, again._reading
        assert self._reading is not None
        return self._reading

    def _places(self) -> Lines:
        if self._lines is None:
            self._lines = Lines(self.text)
        return self._lines

    def span(self, pointer: Pointer, part: Literal["key", "value"] = "value") -> Span:
        """Where the key or the value at `pointer` stands.

        The whole document and a list's items have no key: their value stands for it. Where the document holds
        nothing at `pointer`, the nearest value around it.
        """
        root = self._wake().root
        return self._places().span(*find(root, pointer, part))

    def offset(self, line: int, column: int) -> int:
        """Where in the text a line and column of a span is, in code points from 0."""
        return self._places().offset(line, column)

    def exactly(self, start: int, end: int) -> Span:
        """The span of what an edit takes away: white space and breaks are covered, where `stretch` leaves them out."""
        return self._places().exactly(start, end)

    def entries(self, pointer: Pointer) -> list[Entry] | None:
        """The places of all that leads from the top to what stands at `pointer`; None where nothing stands there."""
        return path(self._wake().root, pointer)

    def corrected(self, text: str) -> Document:
        """The file with another text: read the same way, with a byte-order mark where it had one."""
        return read_text((_BOM if self.marked else "") + text, path=self.path, kind=self.kind)

    @property
    def data(self) -> bytes:
        """The text as bytes, as the file holds it."""
        return ((_BOM if self.marked else "") + self.text).encode()

    def stretch(self, start: int, end: int) -> Span:
        """Where the text from offset `start` to `end` stands, in code points from 0."""
        return self._places().span(start, end)

    def line(self, number: int) -> str:
        """Line `number` of the text, from 1, without its break; empty past the end."""
        return self._places().line(number)

    def part(self, pointer: Pointer) -> Document:
        """What stands at `pointer`, as a document of its own with the same lines: a config inside another file.

        What reading found stays with the whole. Raises KeyError or IndexError where nothing stands there.
        """
        value, node = self.value, self._wake().root
        for step in pointer:
            value, node = value[step], node.entries[step].node
        return Document(self.path, self.text, self.kind, _Part(value, node))

    def _settled(self, faults: list[Fault]) -> tuple[Diagnostic, ...]:
        from .rules import severity

        lines = self._places()
        found = [
            Diagnostic(
                fault.code,
                fault.severity or severity(fault.code),
                self.path,
                lines.span(fault.start, fault.end),
                fault.pointer,
                fault.message,
                fault.fix,
                tuple(
                    Related(self.path, lines.span(mark.start, mark.end), mark.pointer, mark.message)
                    for mark in fault.related
                ),
            )
            for fault in faults[: limit.LOOKED_FOR + 1]
        ]
        return tuple(sorted(limit.cut(found), key=lambda diagnostic: diagnostic.order))


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
    with FileIO(path, opener=_opened) as file:
        status = os.fstat(file.fileno())
        regular = S_ISREG(status.st_mode)
        data = _read_file(file, status.st_size) if regular else _read(file, _PATIENCE)
    document = read_bytes(data, path=os.fspath(path))
    if regular:  # what came through a pipe cannot be read again
        document._source = partial(_read_again, document.path)
    return document


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # else to open a pipe without a writer takes forever


def _read_again(path: str) -> Document:
    try:
        return read_path(path)
    except OSError:
        return read_text("{}", path=path, kind="json")


def read_stdin() -> Document:
    """Reads standard input, under the name <stdin>, for as long as it lasts. OSError if there is none."""
    with FileIO(0, closefd=False) as file:
        return read_bytes(_read(file, None), path="<stdin>")


def _read_file(file: FileIO, size: int) -> bytes:
    """The content of a file that says how large it is: to ask once more for its end costs as much as all of it."""
    wanted = min(size, LARGEST + 1)
    data: bytes = file.read(wanted)
    return data if data and len(data) == wanted else data + _read(file, None)


def _read(file: FileIO, patience: float | None) -> bytes:
    """The content, or as much of it as shows that it is too large. Waits `patience` seconds for what is late."""
    chunks = []
    left = LARGEST + 1
    if patience is not None:
        _wait(file, patience)
    while left:
        chunk: bytes | None = file.read(min(left, _CHUNK))  # a pipe hands out less than what is asked for
        if chunk is None:
            _wait(file, patience)
            continue
        if not chunk:
            break
        chunks.append(chunk)
        left -= len(chunk)
    return b"".join(chunks)


def _wait(file: FileIO, patience: float | None) -> None:
    """Until there is something to read, or nobody is left to write it."""
    from select import POLLIN, poll

    ready = poll()
    ready.register(file, POLLIN)
    if not ready.poll(None if patience is None else patience * 1000):
        raise TimeoutError(ETIMEDOUT, f"nothing came for {patience:g} seconds; to wait for more, name - and pipe it in")


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
    if text.startswith(_BOM):
        fault = Fault("ST003", 0, 1, (), "the file starts with two byte-order marks (BOM): save it as UTF-8 without")
        twice = Document(path, text, kind, _Unreadable(fault))
        twice.marked = True
        return twice
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
    elif kind == "toml":
        from .settings.toml_reader import TomlReading

        reading = TomlReading(text)
    else:
        from .yaml_reader import YamlReading

        reading = YamlReading(text)
    document = Document(path, text, kind, reading)
    document.marked = marked
    return document


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


def is_scenario(document: Document) -> bool:
    """Whether the document is a script of turns that was taken for a config."""
    return isinstance(document.value, dict) and {"scenario", "steps"} <= document.value.keys()
