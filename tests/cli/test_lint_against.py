"""`seatrial lint --against REF`: predecessors are taken from a git revision, too (VER-2)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest
from click.testing import CliRunner
from git_repository import Repository
from sarif_schema import sarif_schema

from seatrial.cli.lint import command


def config(head: str = "", /, scope: str = "[session]", labels: dict[str, int] | None = None, **more: int) -> str:
    """A config of some length, so that a rename with a change is still one to git."""
    declared = "".join(
        f"      {name}:\n        number: {number}\n        description: What {name} is, and when to set it.\n"
        for name, number in {**(labels or {}), **more}.items()
    )
    memory = f"  memory:\n    enabled: true\n    scope: {{read: {scope}, write: [session]}}\n    labels:\n{declared}"
    return f"{head}harness:\n{memory}"


class Told(NamedTuple):
    code: int
    found: list[str]  # PATH: CODE
    said: str  # on standard error
    text: str


def lint(*arguments: str, against: str = "HEAD") -> Told:
    asked = ["--select", "ST5,ST9,ST0", "--against", against, *arguments]
    run = CliRunner().invoke(command, ["--format", "concise", *asked])
    assert run.exception is None or isinstance(run.exception, SystemExit), run.exc_info
    found = re.findall(r"^(.*?):\d+:\d+: (ST\d+)", run.stdout, re.MULTILINE)
    return Told(run.exit_code, [f"{path}: {code}" for path, code in found], run.stderr, run.stdout)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    made = Repository(tmp_path / "repo")
    monkeypatch.chdir(made.root)
    return made


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


@pytest.mark.parametrize("how", ["committed", "staged", "by hand"])
@pytest.mark.parametrize(("old", "new"), [("a.agent.yaml", "b.agent.yaml"), ("a/v1.yaml", "deep/b/v1.yaml")])
def test_renames_are_followed(repo: Repository, how: str, old: str, new: str) -> None:
    """The agent is named by its file or folder, and so has another name: it is the same agent."""
    before = {f"label_{number}": number for number in range(1, 9)}
    repo.commit({old: config(labels=before), "unrelated.agent.yaml": config(zone=30)})
    (repo.root / old).unlink()
    repo.write({new: config(labels={**before, "label_3": 33})})
    if how != "by hand":
        repo.git("add", "--all")
    if how == "committed":
        repo.commit()
    index = (repo.root / ".git/index").read_bytes()
    told = lint(against="HEAD~1" if how == "committed" else "HEAD")
    assert f"{new}: ST502" in told.found
    assert f"HEAD{'~1' * (how == 'committed')}" in told.text
    assert (repo.root / ".git/index").read_bytes() == index  # git's own view is not touched


def test_renames_are_followed_whatever_the_settings_of_git(repo: Repository) -> None:
    repo.commit({f"a{number}.agent.yaml": config(labels={f"label_{number}": number}) for number in range(1, 6)})
    repo.git("config", "diff.renameLimit", "1")
    repo.git("config", "diff.orderFile", "/nonexistent")
    for number in range(1, 6):
        (repo.root / f"a{number}.agent.yaml").unlink()
        repo.write({f"z{number}.agent.yaml": config(labels={f"label_{number}": number + 20})})
    assert lint().found == [f"z{number}.agent.yaml: ST502" for number in range(1, 6)]


def test_the_whole_past_of_an_agent_goes_with_the_rename_of_its_folder(repo: Repository) -> None:
    long = {f"label_{number}": number for number in range(1, 9)}
    repo.commit({"old/v1.yaml": config(gone=20, labels=long), "old/v2.yaml": config(gone=20, more=21, labels=long)})
    (repo.root / "old").rename(repo.root / "new")
    (repo.root / "new/v1.yaml").unlink()
    repo.write({"new/v3.yaml": config(more=21, other=20, labels=long)})
    assert lint().found == ["new/v3.yaml: ST503"]


def test_two_agents_that_state_their_names_stay_two(repo: Repository) -> None:
    repo.commit({"a.yaml": config("agent: a\n", currency=5)})
    repo.write({"a.yaml": config("agent: b\n", currency=6)})
    told = lint("a.yaml")
    assert told.found == []
    assert "0 of 1 config compared with HEAD" in told.said


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


def test_from_a_folder_below_and_by_absolute_paths_and_through_links(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.commit({"c/a.v1.yaml": config(currency=5)})
    repo.write({"c/a.v2.yaml": config(currency=6)})
    (tmp_path / "link").symlink_to(repo.root / "c")
    (tmp_path / "one.yaml").symlink_to(repo.root / "c/a.v2.yaml")
    assert lint(str(repo.root / "c")).found == [f"{repo.root}/c/a.v2.yaml: ST502"]
    monkeypatch.chdir(repo.root / "c")
    assert lint().found == ["a.v2.yaml: ST502"]
    monkeypatch.chdir(tmp_path)
    assert lint("link").found == ["link/a.v2.yaml: ST502"]
    assert lint("repo").found == ["repo/c/a.v2.yaml: ST502"]
    assert "0 of 1 config compared" in lint("one.yaml").said  # by its own name it is another agent


def test_a_linked_folder_is_compared_where_it_leads(repo: Repository) -> None:
    repo.commit({"shared/y.v1.yaml": config(currency=5), "shared/y.v2.yaml": config(limit=6, currency=5)})
    (repo.root / "team").symlink_to("shared")
    (repo.root / "shared/y.v1.yaml").unlink()
    repo.write({"shared/y.v2.yaml": config(limit=7, currency=5), "shared/z.agent.yaml": b"{}"})
    told = lint("team")
    assert told.found == ["team/y.v2.yaml: ST509", "team/y.v2.yaml: ST502"]
    assert "1 of 2 configs compared with HEAD" in told.said
    assert lint("team/y.v2.yaml").found == told.found


def test_a_link_in_the_tree_that_leads_to_another_folder_or_repository(repo: Repository, tmp_path: Path) -> None:
    """What is gone today where a link leads to still counts."""
    other = Repository(tmp_path / "other")
    for each, folder in ((repo, "shared"), (other, "there")):
        each.commit({f"{folder}/y.v1.yaml": config(f"agent: {folder}\n", currency=5)})
        (each.root / folder / "y.v1.yaml").unlink()
        each.write({f"{folder}/y.v2.yaml": config(f"agent: {folder}\n", currency=6)})
    (repo.root / "c").mkdir()
    (repo.root / "c/team").symlink_to("../shared")
    (repo.root / "c/far").symlink_to(other.root / "there")
    assert lint("c").found == ["c/far/y.v2.yaml: ST502", "c/team/y.v2.yaml: ST502"]


def test_what_a_link_finds_in_no_repository_is_told_and_the_rest_compared(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name in ("n", "o", "p"):
        (tmp_path / f"out/{name}.agent.yaml").write_text(config(), encoding="utf-8")
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.write({"a.agent.yaml": config(currency=6)})
    (repo.root / "away").symlink_to(tmp_path / "out")
    (repo.root / "one.agent.yaml").symlink_to(tmp_path / "out/p.agent.yaml")
    told = lint()
    assert (told.code, told.found) == (1, ["a.agent.yaml: ST502"])
    assert "away/n.agent.yaml and 2 more are in no git repository, and are compared with nothing\n" in told.said
    assert "1 of 4 configs compared with HEAD" in told.said
    assert lint("away").code == 2


def test_a_nested_repository_without_the_revision_is_told_and_the_rest_compared(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.git("branch", "base")
    Repository(repo.root / "lib").commit({"b.agent.yaml": config(currency=5)})
    repo.write({"a.agent.yaml": config(currency=6)})
    told = lint(against="base")
    assert (told.code, told.found) == (1, ["a.agent.yaml: ST502"])
    assert f'{repo.root}/lib has no revision "base", and nothing in it is compared' in told.said
    assert lint("lib", against="base").code == 2


def submodule(repo: Repository, tmp_path: Path) -> Repository:
    """A repository in another one, which at `base` names its first commit; its own `base` is a later one."""
    lib = Repository(tmp_path / "lib")
    lib.commit({"b.agent.yaml": config(currency=5)})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(lib.root), "lib")
    repo.commit({"a.agent.yaml": config(currency=5)})
    repo.git("branch", "base")
    inner = Repository(repo.root / "lib")
    inner.commit({"b.agent.yaml": config(currency=6)})
    inner.git("branch", "base")
    return inner


def test_a_submodule_is_compared_with_the_commit_that_the_revision_names(repo: Repository, tmp_path: Path) -> None:
    submodule(repo, tmp_path)
    for paths in ((), (".", "lib"), ("lib",)):
        told = lint(*paths, against="base")
        assert told.found == ["lib/b.agent.yaml: ST502"], paths
        assert "has number 5 since version 1 at base" in told.text


def test_from_within_a_submodule_the_revision_is_its_own(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(submodule(repo, tmp_path).root)
    told = lint(against="base")
    assert (told.code, told.found) == (0, [])
    assert "1 of 1 config compared with base" in told.said


def test_a_submodule_whose_named_commit_was_never_fetched_is_told(repo: Repository, tmp_path: Path) -> None:
    inner = submodule(repo, tmp_path)
    repo.git("update-index", "--cacheinfo", f"160000,{'1' * 40},lib")
    repo.git("commit", "--quiet", "--message", "another")
    repo.git("branch", "--force", "base")
    told = lint(against="base")
    assert f'{inner.root} has not the commit {"1" * 40} that "base" of the repository around it names' in told.said
    assert "1 of 2 configs compared with base" in told.said


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


def test_nothing_of_the_repository_changes(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    (repo.root / "a.agent.yaml").unlink()
    repo.write({"b.agent.yaml": config(currency=5, limit=7)})
    before = everything_in(repo.root / ".git")
    assert lint().found == ["b.agent.yaml: ST502"]
    assert everything_in(repo.root / ".git") == before


@pytest.mark.parametrize("how", [("--cone",), ("--cone", "--sparse-index"), ("--no-cone",)])
def test_in_a_sparse_checkout_what_is_left_out_is_not_gone(repo: Repository, how: tuple[str, ...]) -> None:
    before = {f"label_{number}": number for number in range(1, 9)}
    repo.commit({"a/old.agent.yaml": config(labels=before), "b/kept.agent.yaml": config(labels=before, zone=30)})
    repo.git("sparse-checkout", "set", *how, "a")
    assert not (repo.root / "b").exists()
    (repo.root / "a/old.agent.yaml").unlink()
    repo.write({"a/new.agent.yaml": config(labels={**before, "label_3": 33})})
    assert lint().found == ["a/new.agent.yaml: ST502"]
    repo.git("checkout", "--", "a")
    repo.write({"a/new.agent.yaml": config(labels=before, zone=31)})  # like what is left out
    assert lint("a").found == []


@pytest.mark.parametrize("setting", ["core.splitIndex=true", "core.untrackedCache=true", "core.autocrlf=true",
                                     "core.ignoreStat=true", "status.renames=false", "diff.renames=false"])  # fmt: skip
def test_renames_are_followed_with_an_index_of_another_form(repo: Repository, setting: str) -> None:
    repo.git("config", *setting.split("="))
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    (repo.root / "a.agent.yaml").rename(repo.root / "b.agent.yaml")
    repo.write({"b.agent.yaml": config(currency=5, limit=7).replace("\n", "\r\n" if "crlf" in setting else "\n")})
    assert lint().found == ["b.agent.yaml: ST502"]


@pytest.mark.parametrize("name", ["a\nb", '"a', "ä", "a:b", "a\\n"])
def test_renames_to_and_from_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    odd = Repository(tmp_path / f"{name}.repo")
    monkeypatch.chdir(odd.root)
    odd.commit({f"{name}.agent.yaml": config(currency=5, limit=6), "z.agent.yaml": config(zone=8)})
    (odd.root / f"{name}.agent.yaml").unlink()
    odd.write({f"{name}2.agent.yaml": config(currency=5, limit=7)})
    told = lint()
    assert told.code == 1
    assert '"limit" has number 6 since version 1 at HEAD' in told.text


def test_a_partial_clone_fetches_only_what_is_named_as_a_config(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.agent.yaml": config(currency=5), "large.bin": b"x" * 1000})
    repo.commit({"a.agent.yaml": config(currency=6), "large.bin": b"y" * 1000})
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "add", "origin", f"file://{repo.root}")
    clone.git("fetch", "--quiet", "--filter=blob:none", "origin", "main")
    clone.git("checkout", "--quiet", "-b", "here", "FETCH_HEAD")
    monkeypatch.chdir(clone.root)
    large = repo.git("rev-parse", "HEAD~1:large.bin").strip()
    assert lint(against="HEAD~1").found == ["a.agent.yaml: ST502"]
    lacking = clone.git("rev-list", "--objects", "--all", "--missing=print")
    assert f"?{large}" in lacking


def test_a_name_that_was_taken_anew_is_another_agent(repo: Repository) -> None:
    """The file of agent a is deleted, and one of the agent b gets its name; or a only states a name from now on."""
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    repo.write({"a.agent.yaml": config("agent: b\nmodel: {name: m}\n", scope="[agent]", zone=1, place=2)})
    assert lint().found == []
    repo.write({"a.agent.yaml": config("agent: b\n", currency=5, limit=7)})
    assert lint().found == ["a.agent.yaml: ST502"]


def test_two_repositories_in_one_call(repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Repository(tmp_path / "other")
    for each, name in ((repo, "a"), (other, "b")):
        each.commit({"v1.yaml": config(f"agent: {name}\n", currency=5)})
        each.write({"v2.yaml": config(f"agent: {name}\n", currency=6)})
    monkeypatch.chdir(tmp_path)
    assert lint("repo", "other", against="main").found == ["other/v2.yaml: ST502", "repo/v2.yaml: ST502"]


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


def test_links_at_the_revision_are_no_configs(repo: Repository) -> None:
    (repo.root / "b.v1.yaml").symlink_to("a.v1.yaml")
    repo.commit({"a.v1.yaml": config(currency=5)})
    repo.write({"b.v2.yaml": config(currency=6)})
    assert "cannot be read" not in lint("b.v2.yaml").said


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
