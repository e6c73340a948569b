"""`seatrial lint --against REF`: a config that has another name by now is the same agent's (VER-2)."""

from __future__ import annotations

from pathlib import Path

import pytest
from against import config, lint
from git_repository import Repository


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


def test_a_name_that_was_taken_anew_is_another_agent(repo: Repository) -> None:
    """The file of agent a is deleted, and one of the agent b gets its name; or a only states a name from now on."""
    repo.commit({"a.agent.yaml": config(currency=5, limit=6)})
    repo.write({"a.agent.yaml": config("agent: b\nmodel: {name: m}\n", scope="[agent]", zone=1, place=2)})
    assert lint().found == []
    repo.write({"a.agent.yaml": config("agent: b\n", currency=5, limit=7)})
    assert lint().found == ["a.agent.yaml: ST502"]
