"""`seatrial lint --fix` and `--diff`: what is written where, and what is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from seatrial.cli.rewrite import rewrite

BAD = 'harness:\n  memory:  # why\n    enabled: "true"\n    tools: [search_memory]\n    scope: {read: [x]}\n'
GOOD = "harness:\n  memory:  # why\n    enabled: true\n    tools: []\n    scope: {read: [x]}\n"
REST = 'v1.yaml:5:20: ST103 read: expected one of "session" or "agent", found the text "x"\n'


def lint(*arguments: str, cwd: Path, stdin: bytes = b"") -> tuple[int, bytes, str]:
    command = [sys.executable, "-m", "seatrial", "lint", *arguments]
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode()


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "v1.yaml"
    made.write_bytes(BAD.encode())
    return made


def test_the_file_is_corrected_and_the_rest_is_reported(file: Path) -> None:
    code, output, error = lint("--fix", "--format", "concise", cwd=file.parent)
    assert (code, output.decode()) == (1, REST)
    assert error == "seatrial: v1.yaml: 2 fixed\n2 fixed; 1 error in 1 of 1 config\n"
    assert file.read_bytes() == GOOD.encode()
    assert names(file.parent) == ["v1.yaml"]
    code, output, error = lint("--fix", "--format", "concise", cwd=file.parent)
    assert (code, output.decode(), error) == (1, REST, "1 error in 1 of 1 config\n")


def test_where_nothing_remains_it_exits_0(file: Path) -> None:
    file.write_bytes(BAD.replace("[x]", "[sesion]").replace("\n", "\r\n").encode("utf-8-sig"))
    code, output, _ = lint("--fix", cwd=file.parent)
    assert (code, output) == (0, b"3 fixed; 1 config, nothing found\n")
    assert file.read_bytes() == GOOD.replace("[x]", "[session]").replace("\n", "\r\n").encode("utf-8-sig")


def test_without_it_nothing_is_written_and_what_it_would_do_is_shown(file: Path) -> None:
    code, output, _ = lint(cwd=file.parent)
    assert code == 1
    assert b"^^^^^^ fix: write true\n" in output
    assert output.endswith(b"2 errors in 1 of 1 config; 1 fixable with --fix\n")
    assert file.read_bytes() == BAD.encode()
    file.write_bytes(BAD.replace('"true"', "true").replace("[x]", "session").encode())
    code, output, _ = lint(cwd=file.parent)
    assert b" ^^^^^^^^^^^^^ fix: remove it\n" in output
    assert b' ^^^^^^^ perhaps: write ["session"]\n' in output
    assert output.endswith(b"1 error, 1 info in 1 of 1 config; 1 fixable with --fix\n")


def test_the_difference_is_shown_and_not_written(file: Path) -> None:
    file.write_bytes(BAD.removesuffix("\n").replace("scope: {read: [x]}", "model: é").encode())
    code, output, error = lint("--diff", cwd=file.parent)
    assert code == 1
    assert output.decode() == (
        "--- a/v1.yaml\n+++ b/v1.yaml\n@@ -1,5 +1,5 @@\n harness:\n   memory:  # why\n"
        '-    enabled: "true"\n-    tools: [search_memory]\n+    enabled: true\n+    tools: []\n'
        "     model: é\n\\ No newline at end of file\n"
    )
    assert error == "seatrial: --fix would correct 2 findings\n"
    assert b'"true"' in file.read_bytes()
    lint("--fix", cwd=file.parent)
    assert lint("--diff", cwd=file.parent) == (0, b"", "seatrial: --fix would correct 0 findings\n")


def test_to_write_and_only_to_show_exclude_each_other(file: Path) -> None:
    code, output, error = lint("--fix", "--diff", cwd=file.parent)
    assert (code, output) == (2, b"")
    assert error.endswith("--fix and --diff exclude each other: --diff shows what --fix would write\n")
    assert file.read_bytes() == BAD.encode()


def test_machines_are_told_how_many_were_fixed(file: Path) -> None:
    file.write_bytes(BAD.replace("[search", "[read_memory, read_memory, search").encode())
    before = json.loads(lint("--format", "json", cwd=file.parent)[1])
    assert before["fixed"] == 0
    assert [each["fix"] for each in before["diagnostics"]] == ["true", None, None]
    assert [each["edit"] for each in before["diagnostics"]] == [
        {"line": 3, "column": 14, "end_line": 3, "end_column": 20, "text": "true", "safe": True},
        {"line": 4, "column": 24, "end_line": 4, "end_column": 37, "text": "", "safe": True},
        None,
    ]
    report = json.loads(lint("--fix", "--format", "json", cwd=file.parent)[1])
    assert report["fixed"] == 3
    assert [each["code"] for each in report["diagnostics"]] == ["ST103"]


def test_standard_input_is_printed_and_the_report_goes_to_standard_error(tmp_path: Path) -> None:
    for marked in (b"", b"\xef\xbb\xbf"):
        code, output, error = lint("--fix", "--format", "concise", "-", cwd=tmp_path, stdin=marked + BAD.encode())
        assert (code, output) == (1, marked + GOOD.encode())
        assert error.endswith(f"{REST.replace('v1.yaml', '<stdin>')}2 fixed; 1 error in 1 of 1 config\n")
    sound = '{"harness": {"history": {"index": "messages"}}}\u2028'.replace("\u2028", "\r\n").encode()
    assert lint("--fix", "-", cwd=tmp_path, stdin=sound) == (0, sound, "1 config, nothing found\n")


@pytest.mark.parametrize("stdin", [b"\xff{}", b"harness: [", b""])
def test_what_cannot_be_read_is_not_printed(tmp_path: Path, stdin: bytes) -> None:
    code, output, error = lint("--fix", "-", cwd=tmp_path, stdin=stdin)
    assert (code, output) == (1, b"")
    assert "1 error in 1 of 1 config" in error


def test_what_is_held_back_is_not_fixed(file: Path) -> None:
    """Accepted by a baseline, suppressed by a comment, ignored by settings, not selected."""
    lint("--baseline", "base.json", "--write-baseline", cwd=file.parent)
    assert lint("--fix", "--baseline", "base.json", cwd=file.parent)[0] == 0
    assert lint("--fix", "--select", "ST103", cwd=file.parent)[0] == 1
    assert file.read_bytes() == BAD.encode()
    assert lint("--fix", "--ignore", "ST206", cwd=file.parent)[0] == 1
    assert file.read_bytes() == GOOD.replace("[]", "[search_memory]").encode()
    held = BAD.replace('"true"', '"true"  # seatrial: ignore[ST102]').encode()
    file.write_bytes(held)
    (file.parent / "seatrial.toml").write_text('[per-file-ignores]\n"*.yaml" = ["ST206"]\n', encoding="utf-8")
    lint("--fix", cwd=file.parent)
    assert file.read_bytes() == held


def test_no_comment_comes_to_suppress_what_it_did_not(file: Path) -> None:
    """The item goes; the comment above it would then hold back an error of the next one."""
    text = GOOD.replace("tools: []", "tools:\n    # seatrial: ignore[ST103]\n    - search_memory\n    - y")
    file.write_text(text)
    code, output, _ = lint("--fix", "--format", "concise", cwd=file.parent)
    assert (code, file.read_text()) == (1, text)
    assert b"v1.yaml:7:7: ST103" in output


def test_what_stays_is_accepted_by_a_baseline_written_at_once(file: Path) -> None:
    lint("--fix", "--baseline", "base.json", "--write-baseline", cwd=file.parent)
    assert [each["code"] for each in json.loads((file.parent / "base.json").read_bytes())["findings"]] == ["ST103"]
    assert file.read_bytes() == GOOD.encode()


def test_a_scenario_is_no_config_to_correct(tmp_path: Path) -> None:
    text = "scenario: x\nversionn: 3\nsteps: []\nharness: {}\n"
    (tmp_path / "v1.yaml").write_text(text, encoding="utf-8")
    assert lint("--fix", cwd=tmp_path)[0] == 1
    assert (tmp_path / "v1.yaml").read_text(encoding="utf-8") == text


def test_a_link_stays_and_what_it_leads_to_is_written(file: Path) -> None:
    link = file.parent / "a" / "link.v1.yaml"
    link.parent.mkdir()
    link.symlink_to("../v1.yaml")
    file.chmod(0o640)
    lint("--fix", str(link), cwd=file.parent)
    assert link.is_symlink()
    assert file.read_bytes() == GOOD.encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert names(file.parent) == ["a", "v1.yaml"]


def test_a_file_that_is_read_only_is_a_problem_and_the_others_are_fixed(file: Path) -> None:
    other = file.parent / "b.v1.yaml"
    other.write_bytes(BAD.encode())
    file.chmod(0o444)
    code, output, error = lint("--fix", cwd=file.parent)
    assert code == 2
    assert "seatrial: v1.yaml: cannot be corrected: it is read-only\n" in error
    assert file.read_bytes() == BAD.encode()
    assert other.read_bytes() == GOOD.encode()
    assert b'v1.yaml:3:14: error ST102 wrong-type: expected true or false, found the text "true"' in output
    assert output.endswith(b"2 fixed; 3 errors in 2 of 2 configs\n")


def test_a_file_that_was_changed_meanwhile_is_left_alone(file: Path) -> None:
    with pytest.raises(OSError, match="it has been changed meanwhile"):
        rewrite(str(file), b"what was read", b"what was made of it")
    assert file.read_bytes() == BAD.encode()
    assert names(file.parent) == ["v1.yaml"]


def test_a_pipe_is_not_written(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no file that can be written anew"):
        rewrite(str(tmp_path / "pipe"), b"", b"x")


def test_a_full_disk_leaves_the_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        rewrite(str(file), BAD.encode(), GOOD.encode())
    assert file.read_bytes() == BAD.encode()
    assert names(file.parent) == ["v1.yaml"]


def test_a_plain_lint_loads_nothing_of_it(file: Path) -> None:
    probe = "import sys\nfrom seatrial.cli import main\ntry: main()\nexcept SystemExit: print(*sys.modules, sep='\\n')"
    file.write_bytes(b"harness: {history: {index: messages}}\n")
    command = [sys.executable, "-c", probe, "lint"]
    done = subprocess.run(command, cwd=file.parent, capture_output=True, check=True, timeout=60, encoding="utf-8")
    assert "seatrial.linter.check" in done.stdout.split()
    for module in ("fixes", "edits", "yaml_comments"):
        assert f"seatrial.linter.{module}" not in done.stdout.split()
    assert not {"seatrial.cli.fixing", "seatrial.cli.rewrite", "tempfile", "difflib"} & set(done.stdout.split())
