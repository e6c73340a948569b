"""`seatrial lint --against REF`: predecessors are taken from a git revision, too (VER-2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from against import config, lint
from click.testing import CliRunner
from git_repository import Repository
from sarif_schema import sarif_schema

from seatrial.cli.lint import command


def test_a_label_that_was_renumbered_since(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    repo.write({"a.agent.yaml": config(currency=7, limit=6)})
    told = lint()
    assert (told.code, told.found) == (1, ["a.agent.yaml: ST502"])
    assert 'label "currency" has number 5 since version 1 at HEAD, and 7 in version 1' in told.text
    assert "seatrial: 1 of 1 config compared with HEAD\n" in told.said


def test_the_finding_points_at_both_documents_and_shows_the_old_line(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.write({"a.agent.yaml": config(currency=7)})
    run = CliRunner().invoke(command, ["--against", "main"])
    assert '  main:a.agent.yaml:7:17: "currency" has number 5 here\n     7 |         number: 5\n' in run.stdout


def test_nothing_changed_or_changed_only_in_form_is_no_finding(repo: Repository) -> None:
    repo.commit({"a.v1.yaml": config(currency=5)})
    assert lint().found == []
    repo.write({"a.v1.yaml": config("# a comment\n", currency=5).replace("\n", "\r\n")})
    assert lint() == (0, [], "seatrial: 1 of 1 config compared with HEAD\n1 config, nothing found\n", "")


def test_a_version_that_states_its_number_never_changes(repo: Repository) -> None:
    """ST509: the engine refuses a deploy of the same version with another config."""
    repo.commit({"a.v1.yaml": config(currency=5), "b.agent.yaml": config("version: 1\n", currency=5)})
    repo.write({"a.v1.yaml": config(currency=5, limit=6), "b.agent.yaml": config("version: 1\n", currency=5, limit=6)})
    told = lint()
    assert told.found == ["a.v1.yaml: ST509", "b.agent.yaml: ST509"]
    assert "version 1 is not what it is at HEAD: a version never changes; make this one version 2" in told.text


def test_a_config_without_a_number_may_change_and_is_compared(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.write({"a.agent.yaml": config(currency=5, limit=6, scope="[session, agent]")})
    assert lint().found == ["a.agent.yaml: ST505"]


def test_a_new_version_older_than_the_newest_there(repo: Repository) -> None:
    repo.commit({"a.v3.yaml": config(currency=5)})
    repo.write({"a.v2.yaml": config(currency=5)})
    told = lint()
    assert told.found == ["a.v2.yaml: ST509"]
    assert "version 2 is new and would follow version 3 at HEAD: make it version 4" in told.text


def test_versions_that_are_deleted_today_still_count(repo: Repository) -> None:
    repo.commit({"a.v1.yaml": config(currency=5), "a.v2.yaml": config(currency=5, limit=6)})
    (repo.root / "a.v1.yaml").unlink()
    (repo.root / "a.v2.yaml").unlink()
    repo.write({"a.v3.yaml": config(rate=6, currency=5)})
    assert lint().found == ["a.v3.yaml: ST503"]


def test_a_named_file_follows_its_neighbours(repo: Repository) -> None:
    """pre-commit names the files that changed: version 2 is not named, and is what version 3 follows."""
    repo.commit({"c/a.v1.yaml": config(currency=5), "c/a.v2.yaml": config(currency=5, limit=6)})
    repo.write({"c/a.v3.yaml": config(currency=5)})
    assert lint("c/a.v3.yaml").found == ["c/a.v3.yaml: ST501"]


def test_what_is_elsewhere_in_the_repository_is_no_predecessor(repo: Repository) -> None:
    head = "agent: a\n"
    repo.commit({"tests/a.v1.yaml": config(head, currency=9), ".hid/a.v1.yaml": config(head, currency=9)})
    repo.commit({"c/node_modules/a.v1.yaml": config(head, currency=9), "c/deep/a.v1.yaml": config(head, currency=9)})
    repo.write({"c/a.v2.yaml": config(head, currency=5)})
    told = lint("c/a.v2.yaml")
    assert (told.found, told.code) == ([], 0)
    assert "0 of 1 config compared with" in told.said
    assert lint("c").found == ["c/a.v2.yaml: ST502"]  # deep/ is in the folder that is linted


def test_the_settings_say_what_a_config_is_there_too(repo: Repository) -> None:
    repo.commit({"seatrial.toml": 'include = ["*.mem.yaml"]\nexclude = ["old/"]\n'})
    repo.commit({"a.mem.yaml": config("agent: a\nversion: 1\n", currency=5), "a.v1.yaml": config(currency=8)})
    repo.commit({"old/b.mem.yaml": config("agent: b\n", currency=5)})
    (repo.root / "a.mem.yaml").unlink()
    repo.write(
        {"a2.mem.yaml": config("agent: a\nversion: 2\n", currency=6), "b.mem.yaml": config("agent: b\n", currency=7)}
    )
    assert lint().found == ["a2.mem.yaml: ST502"]


def test_what_is_found_without_a_revision_is_found_with_it(repo: Repository) -> None:
    """The past only adds: version 2 differs from version 1 as before, though it was so at the revision."""
    repo.commit({"a.v1.yaml": config(currency=5), "a.v2.yaml": config(currency=6, scope="[session, agent]")})
    repo.write({"a.v2.yaml": config(currency=6, limit=9, scope="[session, agent]")})
    assert lint().found == ["a.v2.yaml: ST509", "a.v2.yaml: ST505", "a.v2.yaml: ST502"]


def test_what_only_the_past_shows_is_told_beside_what_today_shows_at_the_same_place(repo: Repository) -> None:
    repo.commit({"a.v1.yaml": config(currency=5), "a.v2.yaml": config(currency=5, limit=6)})
    repo.write({"a.v2.yaml": config(other=7)})
    told = lint()
    assert told.found.count("a.v2.yaml: ST501") == 2
    assert 'label "currency" (number 5, version 1) is gone' in told.text
    assert 'label "limit" (number 6, version 2 at HEAD) is gone' in told.text


def test_standard_input_is_compared_by_the_agent_that_it_states(repo: Repository) -> None:
    repo.commit({"a.v1.yaml": config(currency=5)})

    def piped(text: str) -> subprocess.CompletedProcess[str]:
        asked = [sys.executable, "-m", "seatrial", "lint", "--against", "HEAD", "-", "--format", "concise"]
        return subprocess.run(asked, input=text, capture_output=True, text=True, check=False)

    told = piped(config("agent: a\nversion: 2\n", currency=6))
    assert told.returncode == 1
    assert "<stdin>:9:17: ST502" in told.stdout
    told = piped(config(currency=6))
    assert told.returncode == 2
    assert "<stdin>: cannot be compared with HEAD: it has no name and states no `agent`" in told.stderr


def test_a_suppression_of_what_only_the_past_shows_is_in_use(repo: Repository) -> None:
    """ST901: and without the revision it is not called useless either."""
    repo.commit({"a.agent.yaml": config(currency=5)})
    comment = "# seatrial: ignore[ST505] -- meant\n    scope: "
    repo.write({"a.agent.yaml": config(currency=5, scope="[session, agent]").replace("scope: ", comment)})
    assert lint() == (0, [], "seatrial: 1 of 1 config compared with HEAD\n1 config, nothing found\n", "")
    assert CliRunner().invoke(command, ["--select", "ST5,ST9", "--format", "concise"]).stdout == ""
    repo.commit()
    assert lint().found == ["a.agent.yaml: ST901"]  # now it is compared, and there is nothing to hold back


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"{", b"", b"version: x\nharness: {}", b"# " + b"x" * (1 << 20), b"a: &a [*a]"]
)
def test_a_predecessor_that_cannot_be_read_is_told(repo: Repository, content: bytes) -> None:
    repo.commit({"a.agent.yaml": content})
    repo.write({"a.agent.yaml": config(currency=5)})
    told = lint()
    assert (told.code, told.found) == (0, [])
    assert "seatrial: HEAD:a.agent.yaml: cannot be read as a config, and is compared with nothing\n" in told.said
    assert "0 of 1 config compared with HEAD" in told.said


@pytest.mark.parametrize("revision", ["nope", "", "--all", "HEAD:a.agent.yaml", "HEAD..HEAD", "\x1b[31m"])
def test_no_such_revision_is_misuse(repo: Repository, revision: str) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    told = lint(against=revision)
    assert (told.code, told.found) == (2, [])
    assert "has no revision" in told.said
    assert "\x1b" not in told.said


def test_a_file_in_no_repository_is_misuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.agent.yaml").write_text(config(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    told = lint()
    assert told.code == 2
    assert "is in no git repository" in told.said


def test_without_git_it_is_misuse(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    monkeypatch.setenv("PATH", os.devnull)
    told = lint()
    assert told.code == 2
    assert "git cannot be run" in told.said


def test_sarif_that_names_an_old_file_is_valid(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.write({"a.agent.yaml": config(currency=6)})
    monkeypatch.chdir(repo.root)
    made = CliRunner().invoke(command, ["--against", "main", "--format", "sarif"]).stdout
    jsonschema.validate(json.loads(made), sarif_schema())


def test_machine_formats_name_the_old_file_as_git_does(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit({"c/a.agent.yaml": config(currency=5)})
    repo.write({"c/a.agent.yaml": config(currency=6)})
    monkeypatch.chdir(repo.root / "c")
    made = {
        form: CliRunner().invoke(command, ["--against", "main", "--format", form]).stdout
        for form in ("sarif", "github", "junit", "json")
    }
    (related,) = json.loads(made["sarif"])["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "main%3Ac/a.agent.yaml"
    assert "main:c/a.agent.yaml:7:17: " in made["github"]
    assert "main:c/a.agent.yaml:7:17: " in made["junit"]
    assert json.loads(made["json"])["diagnostics"][0]["related"][0]["path"] == "main:c/a.agent.yaml"
