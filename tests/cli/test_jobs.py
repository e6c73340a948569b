"""`-j`: the same bytes whatever N, whoever dies, and nothing that stays when it is stopped."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from seatrial.schemas import load

CONFIG = "{harness: {memory: {enabled: true, tools: [add_memory]}}}"
GOOD = f"scenario: all is well\nconfig: {CONFIG}\ntags: [calm]\nsteps:\n  - turn: a\n    do:\n      - reply: Hello.\n"
SUITE = {
    "a": GOOD,
    "b": GOOD.replace("config: {", "config: shared.yaml #"),
    "c": GOOD + "      - add_memory: {summary: Hello, kind: nonsense}\n",
    "d": GOOD + "        sees: {text: Bonjour}\n",
    "e": GOOD.replace("calm", "session-isolation"),
    "f": GOOD.replace("reply", "replay"),
    "sub/g": GOOD + "  - restart: true\n",
}
GIVEN = ["--config", "suite/agent.v4.yaml"]
LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in SUITE.items():
        path = Path(f"suite/{name}.scenario.yaml")
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    Path("suite/agent.v4.yaml").write_text("harness: {memory: {enabled: true}}\n", encoding="utf-8")
    Path("suite/shared.yaml").write_text(f"harness: {CONFIG[len('{harness: ') : -1]}\n", encoding="utf-8")


def start(*arguments: str, path: str = "") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "seatrial", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*([path] if path else []), *sys.path])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def run(*arguments: str, path: str = "") -> tuple[int, str, str]:
    process = start(*arguments, path=path)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def workers(of: int) -> list[int]:
    """The processes that `of` has started, but for the one that looks after its semaphores."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = re.sub(r".*\) ", "", (entry / "stat").read_text()).split()[1]
            if parent == str(of) and "spawn_main" in (entry / "cmdline").read_text():
                found.append(int(entry.name))
        except (OSError, IndexError):  # no process, or one that has ended meanwhile
            continue
    return found


def group(of: int) -> list[int]:
    """The processes of the group that `of` leads or led, but for those that have ended."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            state, _, its = re.sub(r".*\) ", "", (entry / "stat").read_text()).split()[:3]
        except (OSError, ValueError):
            continue
        if its == str(of) and state != "Z":
            found.append(int(entry.name))
    return found


def gone(leader: int) -> bool:
    """Whether nobody is left of a group, soon after its leader has ended."""
    deadline = time.monotonic() + 20
    while group(leader) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not group(leader)


def working(process: subprocess.Popen[str]) -> list[int]:
    """The two workers of `process`, as soon as they are there."""
    deadline = time.monotonic() + 60
    while len(found := workers(process.pid)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


@pytest.mark.parametrize(
    "more", [[], ["--format", "json"], ["-x"], ["-k", "all is"], GIVEN, [*GIVEN, "--tag", "calm"]], ids=" ".join
)
def test_run_says_and_keeps_the_same_bytes(more: list[str]) -> None:
    one = run("run", "suite", *more, "--trace", "one")
    two = run("run", "suite", *more, "--trace", "two", "-j", "2")
    assert two == one
    assert one[2] == ""
    kept = {path.relative_to("one"): path.read_bytes() for path in Path("one").rglob("*.jsonl")}
    assert kept == {path.relative_to("two"): path.read_bytes() for path in Path("two").rglob("*.jsonl")}
    assert kept


def test_the_first_that_is_not_ok_is_the_last_that_is_told() -> None:
    code, out, _ = run("run", "suite", "-x", "-j", "3", "--format", "json")
    assert code == 1
    assert [each["state"] for each in json.loads(out)["scenarios"]] == ["ok", "ok", "ok", "failed"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_mutate_says_the_same_bytes(form: str) -> None:
    arguments = ["mutate", "suite/a.scenario.yaml", "suite/sub", "-k", "rollback", "--format", form]
    assert run(*arguments, "-j", "2") == run(*arguments)


def test_fuzz_says_the_same_bytes() -> None:
    arguments = ["fuzz", "suite/shared.yaml", "--max-examples", "70", "--no-database"]
    one = run(*arguments)
    assert run(*arguments, "-j", "2") == one
    assert one[0] == 0


def test_as_many_as_there_are_cores() -> None:
    assert run("run", "suite/sub", "suite/a.scenario.yaml", "-j", "auto")[0] == 0


@pytest.mark.parametrize("jobs", ["-1", "two", "1.5", "99999"])
def test_no_number_of_processes(jobs: str) -> None:
    code, _, err = run("run", "suite", "-j", jobs)
    assert code == 2
    assert "is no number of processes" in err


@LINUX
def test_a_killed_worker_loses_no_verdict() -> None:
    expected = run("run", "suite", "--format", "json")
    process = start("run", "suite", "--format", "json", "-j", "2")
    os.kill(working(process)[0], signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == expected
    assert gone(process.pid)


def test_a_scenario_that_kills_its_worker_is_named_and_the_others_keep_their_verdicts(tmp_path: Path) -> None:
    deadly = tmp_path / "deadly"
    deadly.mkdir()
    (deadly / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if '--multiprocessing-fork' in sys.orig_argv:\n"
        "    import seatrial.simulator.replay as replay\n"
        "    real = replay._judged\n"
        "    replay._judged = lambda sent, *more: os._exit(9) if str(sent) == 'suite/c.scenario.yaml' "
        "else real(sent, *more)\n",
        encoding="utf-8",
    )
    _, whole, _ = run("run", "suite", "--format", "json")
    code, out, err = run("run", "suite", "--format", "json", "-j", "2", path=str(deadly))
    told, known = json.loads(out), json.loads(whole)
    jsonschema.validate(told, load("run"))
    lost = {"path": "suite/c.scenario.yaml", "scenario": "", "state": "lost", "turns": 0}
    lost |= {each: [] for each in ("diagnostics", "crashes", "failures", "verdicts", "vacuous", "notes")}
    assert told["scenarios"][2] == lost
    assert [told["scenarios"][at] for at in (0, 1, 3)] == [known["scenarios"][at] for at in (0, 1, 3)]
    assert (told["summary"]["lost"], known["summary"]["lost"]) == (1, 0)
    assert err == (
        "seatrial: internal fault: what ran suite/c.scenario.yaml died, twice: this scenario has no verdict\n"
    )
    assert code == 3


@LINUX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
@pytest.mark.parametrize(
    ("command", "delay"),
    [("run suite", 0.0), ("run suite", 1.0), ("mutate suite", 0.5), ("fuzz suite/shared.yaml --no-database", 1.0)],
)
def test_what_ends_it_leaves_nobody_and_no_folder(
    command: str, delay: float, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("suite/f.scenario.yaml").unlink()
    Path("suite/d.scenario.yaml").unlink()
    Path("temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(Path("temporary").absolute()))
    process = start(*command.split(), "-j", "2")
    working(process)
    time.sleep(delay)
    if process.poll() is None:
        os.killpg(process.pid, number)
    _, err = process.communicate(timeout=60)
    told = {"", "stopped\n", "\nstopped\n"}  # click ends the line of a Ctrl-C; it may have been faster
    assert process.returncode in (128 + number, 0, 1)
    assert err in told
    assert gone(process.pid)
    assert list(Path("temporary").iterdir()) == []


@LINUX
def test_workers_do_not_outlive_a_killed_parent() -> None:
    process = start("mutate", "suite/a.scenario.yaml", "suite/sub", "-j", "2")
    working(process)
    process.kill()
    process.communicate(timeout=60)
    assert gone(process.pid)
