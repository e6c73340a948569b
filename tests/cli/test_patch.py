"""What `seatrial lint --diff` prints is taken by `git apply` and by `patch`, and makes of a file what --fix makes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.cli.patch import patch

APPLY = {"git": ["git", "apply", "--whitespace=nowarn"], "patch": ["patch", "--quiet", "--binary", "-p1"]}
BAD = """\
harness:
  memory:
    enabled: "true"  # é
    tools: [search_memory]
    kinds:
      - fact
      - event
      - fact
      - other
    pinned:
      # how many

      max_tokens: "200"
    search: {
      mode: hybird,
    }
"""


def run(*command: str, cwd: Path, given: bytes = b"") -> bytes:
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(cwd.parent), "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(command, cwd=cwd, input=given, env=environment, capture_output=True, check=False, timeout=60)
    assert not done.stderr.startswith((b"error", b"patch:")), done.stderr
    return done.stdout


@pytest.mark.parametrize("tool", [tool for tool in APPLY if shutil.which(tool)])
@pytest.mark.parametrize(
    ("mark", "name", "line_break", "ending"),
    [
        ("", "v1.yaml", "\n", "\n"),
        ("\ufeff", "v1.yaml", "\r\n", ""),
        ("", "a b/v 1.yaml", "\r", "\n"),
        ("\ufeff", "a/\u0101\U0001f680.agent.yaml", "\r", ""),
        ("", 'a\tb"c\\d.agent.yaml', "\r\n", "\n"),
        ("", os.fsdecode(b"a\xff.agent.yaml"), "\n", ""),
    ],
)
def test_it_makes_what_fix_makes(tmp_path: Path, tool: str, mark: str, name: str, line_break: str, ending: str) -> None:
    before = (mark + BAD.removesuffix("\n") + ending).replace("\n", line_break).encode()
    files = [tmp_path / each / name for each in ("patched", "fixed")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_bytes(before)
    lint = [sys.executable, "-m", "seatrial", "lint"]
    made = run(*lint, "--diff", name, cwd=tmp_path / "patched")
    run(*lint, "--fix", name, cwd=tmp_path / "fixed")
    run(*APPLY[tool], cwd=tmp_path / "patched", given=made)
    assert files[1].read_bytes() != before
    assert files[0].read_bytes() == files[1].read_bytes()


def test_through_a_link_it_is_of_the_file_that_the_link_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/v1.yaml").write_text(BAD)
    (tmp_path / "v2.yaml").symlink_to("real/v1.yaml")
    monkeypatch.chdir(tmp_path)
    assert patch("v2.yaml", b"a", b"b").startswith(b"--- a/real/v1.yaml\n+++ b/real/v1.yaml\n")
    assert patch("./real/../real/v1.yaml", b"a", b"b").startswith(b"--- a/real/v1.yaml\n")


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"\r"]), max_size=30)


def applied(made: bytes, before: bytes) -> bytes:
    """The content that the patch makes, what it says of the old one being compared."""
    old = [each + b"\n" for each in before.split(b"\n")]
    old[-1] = old[-1][:-1]
    marked = made.replace(b"\n\\ No newline at end of file\n", b"\0\n").split(b"\n")[2:-1]
    new: list[bytes] = []
    at = 0
    for line in marked:
        content = line[1:-1] if line.endswith(b"\0") else line[1:] + b"\n"
        if line.startswith(b"@@"):
            first, count = [*line.split()[1][1:].split(b","), b"1"][:2]
            start = int(first) - (count != b"0")
            new += old[at:start]
            at = start
            continue
        if line[:1] in b" -":
            assert content == old[at]
            at += 1
        if line[:1] in b" +":
            new.append(content)
    return b"".join([*new, *old[at:]])


@given(before=LINES, after=LINES, ends=st.tuples(st.booleans(), st.booleans()))
def test_any_two_contents(before: list[bytes], after: list[bytes], ends: tuple[bool, bool]) -> None:
    texts = [b"".join(lines) + b"z" * end for lines, end in zip((before, after), ends, strict=True)]
    assert applied(patch("f", *texts), texts[0]) == texts[1]


def test_of_thousands_of_lines_in_a_time_that_grows_as_they_do() -> None:
    """Each with each would take minutes."""
    before = [b'"number": "%d"\n},\n' % n for n in range(20_000)]
    after = [b'"number": %d\n},\n' % n for n in range(20_000)]
    started = time.process_time()
    made = patch("f", b"".join(before), b"".join(after))
    assert made.count(b"\n-") == made.count(b"\n+") - 1 == 20_000
    assert patch("f", b"a\n" + b"b\n" * 20_000 + b"c\n", b"a\nc\n").count(b"\n-") == 20_000
    assert time.process_time() - started < 5
