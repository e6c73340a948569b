"""`seatrial lint --against REF` in a git hook: git's variables there lead to the repository of the commit only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from git_repository import Repository

from seatrial.linter.git import LOCAL


def config(number: int) -> str:
    label = f"labels: {{account: {{number: {number}, description: The account that it is about.}}}}"
    return f"agent: own\nharness: {{memory: {{enabled: true, {label}}}}}\n"


def test_git_names_no_further_variable_that_leads_to_a_repository(tmp_path: Path) -> None:
    listed = set(Repository(tmp_path).git("rev-parse", "--local-env-vars").split())
    assert listed - {"GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"} <= set(LOCAL)


@pytest.mark.parametrize("all_at_once", [False, True])
@pytest.mark.parametrize("worktree", [False, True])
def test_a_nested_repository_is_compared_with_its_own_revision(
    tmp_path: Path, worktree: bool, all_at_once: bool
) -> None:
    made = Repository(tmp_path / "main")
    made.commit({"note": "1", "own.agent.yaml": config(1), ".gitignore": "nested/\n"})
    if worktree:
        made.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    root = tmp_path / ("side" if worktree else "main")
    nested = Repository(root / "nested")
    nested.commit({"own.agent.yaml": config(5)})
    nested.write({"own.agent.yaml": config(8)})
    hook = tmp_path / "main/.git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    lint = f"'{sys.executable}' -m seatrial lint --format concise --against HEAD"
    hook.write_text(f"#!/bin/sh\n{lint} nested && {lint} own.agent.yaml\n", encoding="utf-8")
    hook.chmod(0o755)
    (root / "note").write_text("2", encoding="utf-8")
    here = Repository(root) if not worktree else made
    here.root = root
    if not all_at_once:
        here.git("add", "note")
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        here.git("commit", "--message", "m", *["--all"] * all_at_once)
    assert "number 5 since version 1 at HEAD, and 8 in version 1" in stopped.value.stdout + stopped.value.stderr
    nested.write({"own.agent.yaml": config(5)})
    here.git("commit", "--message", "m", *["--all"] * all_at_once)
