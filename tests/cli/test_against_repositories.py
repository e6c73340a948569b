"""`seatrial lint --against REF`: of which repository, with links, nested ones and partial checkouts."""

from __future__ import annotations

from pathlib import Path

import pytest
from against import config, lint
from git_repository import Repository


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


def test_links_at_the_revision_are_no_configs(repo: Repository) -> None:
    (repo.root / "b.v1.yaml").symlink_to("a.v1.yaml")
    repo.commit({"a.v1.yaml": config(currency=5)})
    repo.write({"b.v2.yaml": config(currency=6)})
    assert "cannot be read" not in lint("b.v2.yaml").said


def test_two_repositories_in_one_call(repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Repository(tmp_path / "other")
    for each, name in ((repo, "a"), (other, "b")):
        each.commit({"v1.yaml": config(f"agent: {name}\n", currency=5)})
        each.write({"v2.yaml": config(f"agent: {name}\n", currency=6)})
    monkeypatch.chdir(tmp_path)
    assert lint("repo", "other", against="main").found == ["other/v2.yaml: ST502", "repo/v2.yaml: ST502"]


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


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


def test_nothing_of_the_repository_changes(repo: Repository) -> None:
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    (repo.root / "a.agent.yaml").unlink()
    repo.write({"b.agent.yaml": config(currency=5, limit=7)})
    before = everything_in(repo.root / ".git")
    assert lint().found == ["b.agent.yaml: ST502"]
    assert everything_in(repo.root / ".git") == before
