"""Files that nobody would write, and some that are no files: told as what they are, in bounded time and memory."""

from __future__ import annotations

import ctypes
import json
import os
import random
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from bounded import bounded

from seatrial.linter import document as documents
from seatrial.linter import lint, read_path

GOOD = '{"harness": {}}\n'
FULL = 1_000_000  # bytes: a little less than a file may have


def filled(opening: str, item: str, closing: str, size: int) -> str:
    return opening + ", ".join([item] * ((size - len(opening) - len(closing)) // (len(item) + 2))) + closing


def labels(label: str, size: int) -> str:
    written = [f'"l{n}": {label}' for n in range(size // 25)]
    return '{"harness": {"memory": {"labels": {' + ", ".join(written) + "}}}}"


def full_of_mistakes(size: int) -> dict[str, str]:
    """Files of about so many bytes, or a quarter of them, by name."""
    part = size // 4
    return {
        "unknown.v1.json": "{" + ", ".join(f'"k{n}": 1' for n in range(size // 14)) + ', "harness": {}}',
        "mistyped.v1.json": filled('{"harness": {"memory": {"kinds": [', "1", "]}}}", size),
        "mistyped.v1.yaml": filled('{"harness": {"memory": {"kinds": [', "null", "]}}}", part),
        "repeated.v1.json": filled('{"harness": {"memory": {"tools": [', '"add_memory"', "]}}}", part),
        "unlisted.v1.json": filled('{"harness": {"memory": {"tools": [', '"x"', "]}}}", part),
        "twice.v1.json": filled('{"harness": {', '"a": {}', "}}", part),
        "twice.v1.yaml": filled('{"harness": {', '"a": {}', "}}", part),
        "shared.v1.json": labels('{"number": 1}', part),
        "unnumbered.v1.json": labels("{}", part),
        "no-labels.v1.yaml": labels("0", part),
        "nan.v1.json": filled('{"harness": {"x": [', "NaN", "]}}", part),
        "halves.v1.json": filled('{"harness": {"x": [', '"\\ud800"', "]}}", part),
        "hints.v1.yaml": "harness:\n  x:\n" + "  - no\n" * (size // 10),
        "dates.v1.yaml": "harness:\n  x:\n" + "  - 2026-01-31\n" * (size // 16),
        "numbers.v1.yaml": "harness:\n" + "".join(f"  {n}: x\n" for n in range(size // 14)),
    }


@pytest.mark.parametrize("size", [FULL // 8, pytest.param(FULL, marks=pytest.mark.slow)])
def test_files_full_of_mistakes_are_told_in_bounded_time_and_memory(size: int, tmp_path: Path) -> None:
    written = full_of_mistakes(size)
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    done = bounded("lint", "--no-config", ".", cwd=tmp_path, seconds=200)
    assert done.returncode == 1
    assert done.stdout.count(b"more than 1,000 findings in this file") == len(written)


DEEP = 300_000
STRANGE = {
    "deep.v1.json": b'{"a":' * DEEP,
    "deep-list.v1.json": b"[" * DEEP,
    "deep-closed.v1.json": b'{"harness":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep-flow.v1.yaml": b"a: " + b"[" * DEEP,
    "deep-keys.v1.yaml": b"? " * DEEP,
    "deep-block.v1.yaml": b"\n".join(b" " * depth + b"a:" for depth in range(1400)),
    "deep-dashes.v1.yaml": b"- " * DEEP,
    "bomb.v1.yaml": b"\n".join(
        b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1) if n else b"x"] * 40)) for n in range(30)
    ),
    "merges.v1.yaml": b"\n".join(
        b"a%d: &a%d {k%d: 1, <<: [%s]}" % (n, n, n, b", ".join([b"*a%d" % (n - 1)] * 20 if n else [b"{}"]))
        for n in range(30)
    ),
    "recursive.v1.yaml": b"&a harness: &b\n  x: [*b, *a]\n  <<: *b\n",
    "anchors.v1.yaml": b"\n".join(b"a%d: &a%d x" % (n, n) for n in range(40_000)),
    "huge-number.v1.json": b'{"harness": ' + b"9" * FULL + b"}",
    "huge-number.v1.yaml": b"harness: " + b"9" * FULL,
    "huge-hex.v1.yaml": b"harness: 0x" + b"f" * FULL,
    "huge-fraction.v1.json": b'{"harness": 0.' + b"9" * FULL + b"}",
    "huge-exponent.v1.json": b'{"harness": [1e' + b"9" * 1000 + b", 1e-" + b"9" * 1000 + b"]}",
    "sixty.v1.yaml": b"harness: " + b"1:" * (FULL // 2) + b"x",
    "underscores.v1.yaml": b"harness: 1" + b"_" * FULL + b"x",
    "long-key.v1.json": b'{"' + b"k" * FULL + b'": 1, "harness": {}}',
    "long-key.v1.yaml": b'? "' + b"k" * FULL + b'"\n: 1\n',
    "long-line.v1.json": b'{"harness": {' + b" " * FULL + b'"x": 1}}',
    "long-text.v1.yaml": b"harness: " + b"x " * (FULL // 2),
    "lines.v1.json": b"\n" * FULL + b'{"x": 1}',
    "lines.v1.yaml": b"\r" * FULL + b"x: 1",
    "comments.v1.yaml": b"#\n" * (FULL // 2) + b"x: 1",
    "quotes.v1.json": b'"' * FULL,
    "backslashes.v1.json": b'{"' + b"\\" * FULL,
    "documents.v1.yaml": b"---\nharness: {}\n" * 60_000,
    "tags.v1.yaml": b"!<tag:x> " * 3 + b"x: !!python/object/apply:os.system [ls]\n",
    "directives.v1.yaml": b"%YAML 9.9\n%TAG ! !x\n--- {}\n",
    "nul.v1.json": b'{"harness": "\0"}',
    "nul.v1.yaml": b"harness: \0\n",
    "nuls.v1.json": b"\0" * FULL,
    "empty.v1.json": b"",
    "empty.v1.yaml": b"",
    "white.v1.yaml": b"\t \n\r\n",
    "lone.v1.json": b'{"\\ud800": 1, "\\udc00\\ud800": "\\uDFFF"}',
    "surrogate-bytes.v1.json": b'{"harness": "\xed\xa0\x80"}',
    "overlong.v1.json": b'{"harness": "\xc0\xaf"}',
    "half.v1.json": '{"harness": "顧"}'.encode()[:-4],
    "too-large.v1.json": b" " * (1 << 20) + b"{}",
    "just-not.v1.json": b'{"harness": {}}' + b" " * ((1 << 20) - 15),
}


def test_strange_files_are_read_or_told_and_never_a_fault(tmp_path: Path) -> None:
    for name, data in STRANGE.items():
        (tmp_path / name).write_bytes(data)
    done = bounded("lint", "--no-config", "--format", "json", ".", cwd=tmp_path)
    found = json.loads(done.stdout)["diagnostics"]
    assert {each["path"] for each in found if each["severity"] == "error"} == set(STRANGE) - {"just-not.v1.json"}
    done = bounded("lint", "--no-config", ".", cwd=tmp_path)
    assert len(done.stdout) < 10_000_000


ENCODINGS = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "latin-1", "cp037", "shift_jis"]


@pytest.mark.parametrize("kind", ["json", "yaml"])
def test_every_encoding_but_utf_8_is_named_as_the_reason(tmp_path: Path, kind: str) -> None:
    for encoding in ENCODINGS:
        text = '{"harness": {"memory": {"model": "é"}}}' if "jis" not in encoding else '{"harness": "顧"}'
        (tmp_path / f"{encoding}.v1.{kind}").write_bytes(text.encode(encoding))
    done = bounded("lint", "--no-config", "--format", "json", ".", cwd=tmp_path)
    report = json.loads(done.stdout)
    assert {each["path"] for each in report["diagnostics"]} == {f"{encoding}.v1.{kind}" for encoding in ENCODINGS}
    assert {each["code"] for each in report["diagnostics"]} <= {"ST001", "ST003"}


def test_random_bytes_and_mutated_configs_never_end_in_a_fault(tmp_path: Path) -> None:
    chance = random.Random(4)
    sound = json.dumps({"agent": "a", "harness": {"memory": {"labels": {"a": {"number": 1}}, "kinds": ["fact"]}}})
    for number in range(300):
        mutated = bytearray(sound.encode())
        for _ in range(chance.randrange(1, 6)):
            place = chance.randrange(len(mutated))
            mutated[place : place + chance.randrange(3)] = chance.choice(
                [
                    b"",
                    b"{",
                    b"]",
                    b":",
                    b'"',
                    b"\n",
                    b"&a ",
                    b"*a",
                    b"\xff",
                    b"\0",
                    b"- ",
                    b"!!",
                    b"1e999",
                    b"\\ud8",
                    b"#",
                ]
            )
        data = bytes(mutated) if number % 3 else chance.randbytes(chance.randrange(200))
        (tmp_path / f"a{number}.v1.{'json' if number % 2 else 'yaml'}").write_bytes(data)
    for form in ("text", "json"):
        assert bounded("lint", "--format", form, ".", cwd=tmp_path).returncode == 1


def test_ten_thousand_files_take_little_memory(tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"a{number}.v1.json").write_text(GOOD)
    done = bounded("lint", ".", cwd=tmp_path)
    assert done.stdout == b"10000 configs, nothing found\n"


def test_many_versions_are_compared_in_bounded_time(tmp_path: Path) -> None:
    for number in range(1, 201):
        declared = {f"l{label}": {"number": label} for label in range(1, number + 1)}
        (tmp_path / f"v{number}.json").write_text(json.dumps({"harness": {"memory": {"labels": declared}}}))
    assert bounded("lint", ".", cwd=tmp_path).returncode == 0


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "v1.json").mkdir()
    (tmp_path / "v2.json").symlink_to("v3.json")
    (tmp_path / "v3.json").symlink_to("v2.json")
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "again").symlink_to("..")
    (tmp_path / "v4.json").write_text(GOOD)
    os.mkfifo(tmp_path / "v5.json")
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(tmp_path)  # the path of a socket may not be long
        listening.bind("v6.json")
        everything = bounded("lint", ".", cwd=tmp_path)
        named = bounded("lint", "v1.json", "v2.json", "v6.json", cwd=tmp_path)
    assert everything.returncode == 2
    assert everything.stdout == b"1 config, nothing found\n"
    assert b"v2.json: cannot be read: Too many levels of symbolic links" in everything.stderr
    assert b"v1.json: no config in this folder" in named.stderr
    assert b"v6.json: cannot be read: " in named.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="drops the powers of root as Linux does")
def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "v1.json").write_text(GOOD)
    (tmp_path / "v2.json").write_text(GOOD)
    (tmp_path / "v2.json").chmod(0)
    (tmp_path / "inner").mkdir(mode=0)

    def no_power() -> None:
        libc = ctypes.CDLL(None)
        for power in (1, 2):  # to read and to search whatever the permissions say, which root has
            libc.prctl(24, power, 0, 0, 0)  # PR_CAPBSET_DROP: not after the next exec

    done = bounded("lint", "--no-config", ".", cwd=tmp_path, prepare=no_power)
    assert done.returncode == 2
    assert done.stdout == b"1 config, nothing found\n"
    assert b"v2.json: cannot be read: Permission denied" in done.stderr
    assert b"inner: Permission denied" in done.stderr


def test_a_pipe_that_nobody_writes_to_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "v1.json")
    monkeypatch.setattr(documents, "_PATIENCE", 0.01)
    with pytest.raises(TimeoutError, match="nothing came"):
        read_path(tmp_path / "v1.json")


def test_a_pipe_is_read_to_its_end_and_may_be_placed_in_later(tmp_path: Path) -> None:
    pipe = tmp_path / "v2.json"
    os.mkfifo(pipe)
    config = '{"harness": {"memory": {"labels": {"a": {"number": %d}, "b": {"number": 9, "description": "%s"}}}}}'
    (tmp_path / "v1.json").write_text(config % (1, ""))
    writer = threading.Thread(target=pipe.write_text, args=(config % (2, "x" * 200_000),))
    writer.start()
    found = lint([read_path(tmp_path / "v1.json"), read_path(pipe)])
    writer.join()
    assert [(each.code, each.span.column) for each in found if each.severity == "error"] == [("ST502", 52)]


def test_a_file_that_vanishes_before_it_is_read_is_told(tmp_path: Path) -> None:
    program = (
        "import os, seatrial.linter as linter\n"
        "from seatrial.cli import main\n"
        "read = linter.read_path\n"
        "def vanishing(path):\n"
        "    if path == 'v2.json':\n"
        "        os.unlink(path)\n"
        "    return read(path)\n"
        "linter.read_path = vanishing\n"
        "main()\n"
    )
    for name in ("v1.json", "v2.json", "v3.json"):
        (tmp_path / name).write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-c", program, "lint"], cwd=tmp_path, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stdout == b"2 configs, nothing found\n"
    assert done.stderr == b"seatrial: v2.json: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_a_reader_that_goes_away_is_no_fault(tmp_path: Path, form: str) -> None:
    (tmp_path / "v1.json").write_text("{" + ", ".join(f'"k{n}": 1' for n in range(900)) + "}")
    process = subprocess.Popen(
        [sys.executable, "-m", "seatrial", "lint", "--format", form],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 141
    assert said in (b"", b"902 errors in 1 of 1 config\n")
