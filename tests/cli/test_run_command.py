"""`seatrial run`: what it prints, keeps and exits with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from seatrial.cli import main
from seatrial.schemas import load as load_schema
from seatrial.simulator.invariants import INVARIANTS, RERUNS

CONFIG = "{harness: {memory: {enabled: true, tools: [add_memory]}}}"
GOOD = f"scenario: all is well\nconfig: {CONFIG}\ntags: [calm]\nsteps:\n  - turn: a\n    do:\n      - reply: Hello.\n"
FAILING = f"{GOOD.replace('all is well', 'something is missed')}        sees: {{text: Bonjour}}\n"
VACUOUS = GOOD.replace("calm", "session-isolation").replace("all is well", "nothing is shown")
INVALID = GOOD.replace("reply", "replay").replace("all is well", "nothing can run")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Printed:
    """What one call of the command line printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


class Runner:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, *arguments: str) -> Printed:
        self.monkeypatch.setattr("sys.argv", ["seatrial", "run", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Printed(ended.value.code, *self.capsys.readouterr())


def write(**scenarios: str) -> None:
    for name, text in scenarios.items():
        Path(f"{name}.scenario.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [(GOOD, 0, "ok"), (FAILING, 1, "FAILED"), (VACUOUS, 1, "VACUOUS"), (INVALID, 2, "INVALID")],
)
def test_the_exit_code_says_how_it_went(run: Runner, text: str, code: int, word: str) -> None:
    write(a=text)
    printed = run()
    assert (printed.code, printed.out.split()[0]) == (code, word)


def test_an_invalid_script_outweighs_a_failed_one_and_the_others_still_run(run: Runner) -> None:
    write(a=INVALID, b=FAILING, c=GOOD)
    printed = run()
    assert printed.code == 2
    assert "3 scenarios, 2 turns: 1 ok, 1 failed, 1 invalid" in printed.out


def test_a_failure_is_told_with_its_place_what_was_expected_and_what_was_seen(run: Runner) -> None:
    write(a=FAILING)
    assert run().out.splitlines()[:4] == [
        "FAILED   a.scenario.yaml: something is missed",
        "  a.scenario.yaml:8:16: /steps/0/do/0/sees/text",
        '    expected a context that holds "Bonjour"',
        "    seen     a context without it",
    ]


def test_a_bad_script_gets_line_and_column(run: Runner) -> None:
    write(a=INVALID)
    assert 'a.scenario.yaml:7:9: ST101 unknown key "replay"; did you mean "reply"?' in run().out


def test_the_summary_says_what_each_invariant_checked(run: Runner) -> None:
    write(a=GOOD)
    out = run("--verbose").out
    table = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    assert table["session-isolation"] == ["-", "-", "1", "-"]
    assert table["determinism"][:3] == ["1", "-", "-"]
    assert out.endswith("1 scenario, 1 turn: 1 ok\n")


def test_invariants_that_had_nothing_to_check_are_counted(run: Runner) -> None:
    write(a=GOOD)
    out = run().out
    shown = [line.split()[0] for line in out.split("probes\n")[1].splitlines()[:-2]]
    assert "determinism" in shown
    assert "session-isolation" not in shown
    rest = len(INVARIANTS) + len(RERUNS) - len(shown)
    assert f"\n{rest} more invariants had nothing to check (-v lists them)\n" in out
    assert out.endswith("1 scenario, 1 turn: 1 ok\n")


def test_where_something_is_wrong_only_that_is_listed(run: Runner) -> None:
    write(a=FAILING, b=GOOD)
    rest = run().out.split("\n\n")[1].splitlines()
    assert rest[-1] == "2 scenarios, 2 turns: 1 ok, 1 failed"
    hold, idle = (int(part.split()[0]) for part in rest[0].split(", "))
    assert rest[0] == f"{hold} invariants hold, {idle} had nothing to check (-v lists them)"
    assert hold + idle == len(INVARIANTS) + len(RERUNS)
    assert len(rest) == 2
    assert "\ndeterminism " in run("-v").out


def test_a_config_is_told_from_a_scenario(run: Runner) -> None:
    Path("v1.yaml").write_text("agent: clerk\nharness: {memory: {enabled: true}}\n", encoding="utf-8")
    printed = run("v1.yaml")
    assert printed.code == 2
    assert printed.out.splitlines()[1] == (
        "  v1.yaml:2:1: SC207 this is a config and no scenario: `seatrial lint v1.yaml` checks it, and "
        "`seatrial run --config v1.yaml` plays scenarios on it"
    )
    assert printed.out.splitlines()[2] == ""


def test_nothing_found_is_wrong_use(run: Runner) -> None:
    printed = run()
    assert (printed.code, printed.out) == (2, "")
    assert "no scenario in this folder: one is named *.scenario.yaml" in printed.err
    write(a=GOOD, b=VACUOUS)
    printed = run("-k", "nowhere")
    assert printed.code == 2
    assert "none of 2 scenarios is what -k or --tag asked for; their tags: calm, session-isolation" in printed.err
    printed = run("none")
    assert printed.code == 2
    assert "none: no such file or folder" in printed.err


def test_a_tag_that_no_scenario_has_is_told_beside_one_that_some_have(run: Runner) -> None:
    write(a=GOOD, b=VACUOUS)
    printed = run("--tag", "calm", "--tag", "clam")
    assert "seatrial: warning: --tag: no scenario has clam; their tags: calm, session-isolation" in printed.err
    assert "1 scenario," in printed.out
    assert "warning" not in run("--tag", "calm").err
    Path("c.scenario.yaml").write_text("steps: 1\n", encoding="utf-8")  # which tags it has is not known
    assert "warning" not in run("--tag", "calm", "--tag", "clam").err


def test_selection_by_words_and_by_tag(run: Runner) -> None:
    write(a=GOOD, b=FAILING, c=VACUOUS)
    assert run("-k", "IS WELL").code == 0
    assert run("--tag", "calm", "-k", "b.scenario").code == 1
    assert "1 scenario," in run("--tag", "session-isolation").out


def test_an_invalid_scenario_is_told_whatever_tag_is_asked_for(run: Runner) -> None:
    """Its tags may be what is wrong with it."""
    write(a=GOOD, b=FAILING, c=GOOD.replace("tags: [calm]", "tgas: [calm]"))
    printed = run("--tag", "session-isolation")
    assert printed.code == 2
    assert "c.scenario.yaml:3:1: ST101" in printed.out
    assert "b.scenario" not in printed.out
    assert run("--tag", "calm").code == 2


def test_x_stops_at_the_first_that_is_not_ok(run: Runner) -> None:
    write(a=GOOD, b=FAILING, c=INVALID)
    printed = run("-x")
    assert printed.code == 1
    assert "c.scenario.yaml" not in printed.out


def test_json_is_what_its_schema_describes(run: Runner) -> None:
    write(a=GOOD, b=FAILING, c=VACUOUS, d=INVALID)
    printed = run("--format", "json")
    report = json.loads(printed.out)
    assert printed.code == 2
    assert [error.message for error in Draft202012Validator(load_schema("run")).iter_errors(report)] == []
    assert [each["state"] for each in report["scenarios"]] == ["ok", "failed", "vacuous", "invalid"]
    assert report["scenarios"][1]["failures"][0]["line"] == 8
    assert report["summary"] == {
        "scenarios": 4,
        "ok": 1,
        "failed": 1,
        "vacuous": 1,
        "invalid": 1,
        "lost": 0,
        "turns": 3,
    }


def test_the_trace_of_one_scenario_goes_into_a_file(run: Runner) -> None:
    write(a=GOOD)
    assert run("--trace", "deep/er.jsonl").code == 0
    first = json.loads(Path("deep/er.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert first == {"type": "trace", "format": 1, "scenario": "all is well"}


def test_the_traces_of_several_go_below_a_folder(run: Runner) -> None:
    Path("sub").mkdir()
    write(a=GOOD)
    write(**{"sub/b": FAILING, "sub/c": INVALID})
    assert run("--trace", "traces").code == 2
    kept = sorted(str(path.relative_to("traces")) for path in Path("traces").rglob("*.jsonl"))
    assert kept == ["a.trace.jsonl", "sub/b.trace.jsonl"]
    Path("file").touch()
    assert run("--trace", "file").code == 2


def test_traces_of_scenarios_that_begin_alike_are_kept_apart(run: Runner) -> None:
    write(a=GOOD)
    Path("a.scenario.yml").write_text(Path("a.scenario.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("--trace", "traces").code == 0
    kept = sorted(path.name for path in Path("traces").iterdir())
    assert kept == ["a.scenario.yaml.trace.jsonl", "a.scenario.yml.trace.jsonl"]


def test_a_trace_that_cannot_be_written_loses_no_verdict(run: Runner) -> None:
    Path("file").touch()
    write(a=GOOD)
    printed = run("--trace", "file/a.jsonl")
    assert (printed.code, printed.out.splitlines()[-1]) == (2, "1 scenario, 1 turn: 1 ok")
    write(b=FAILING)
    printed = run("--trace", "file/below")
    assert (printed.code, printed.out.splitlines()[-1]) == (1, "2 scenarios, 2 turns: 1 ok, 1 failed")
    assert printed.err == (
        "seatrial: --trace: file/below/a.trace.jsonl: Not a directory; no trace was kept from there on\n"
    )


def test_a_trace_is_not_written_over_what_it_is_made_of(run: Runner) -> None:
    write(a=GOOD)
    before = Path("a.scenario.yaml").read_bytes()
    assert run("--trace", "a.scenario.yaml").code == 2
    assert run("--trace", "./kept", "--store", "kept").code == 2
    assert Path("a.scenario.yaml").read_bytes() == before
    assert not Path("kept").exists()


def test_the_store_of_one_scenario_is_kept_in_a_new_file(run: Runner) -> None:
    write(a=GOOD)
    assert run("--store", "kept.sqlite").code == 0
    assert Path("kept.sqlite").read_bytes()[:6] == b"SQLite"
    assert run("--store", "kept.sqlite").code == 2
    write(b=GOOD)
    assert run("--store", "other.sqlite").code == 2


def test_a_place_that_cannot_be_written_is_wrong_use(run: Runner) -> None:
    write(a=GOOD)
    Path("file").touch()
    assert run("--store", "no/such/folder/a.sqlite").code == 2
    assert run("--trace", "file/a.jsonl").code == 2


def test_a_closed_pipe_is_neither_a_fault_nor_a_finding() -> None:
    write(**{f"s{number}": GOOD.replace("all is well", "x" * 4000) for number in range(40)})
    command = f"{sys.executable} -m seatrial run | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    assert done.stdout.splitlines()[1:] == ["141"]


def test_what_a_script_says_cannot_move_the_cursor(run: Runner) -> None:
    write(a=FAILING.replace("something", '"some\\e[2Jthing').replace("is missed", 'is missed"'))
    printed = run()
    assert "\x1b" not in printed.out
    assert "some\\x1b[2Jthing is missed" in printed.out


def test_no_colour_where_nobody_sees_it(run: Runner) -> None:
    write(a=FAILING)
    assert "\x1b" not in run().out


def test_help_shows_an_example(run: Runner) -> None:
    printed = run("--help")
    assert printed.code == 0
    assert "  seatrial run scenarios -k account" in printed.out


@pytest.mark.parametrize("form", ["junit", "github", "html"])
def test_the_formats_for_ci_and_browsers_are_all_that_is_printed(run: Runner, form: str) -> None:
    write(a=FAILING)
    printed = run("--format", form)
    assert (printed.code, printed.err) == (1, "")
    first = {"junit": "<?xml", "github": "::error file=a.scenario.yaml", "html": "<!doctype html>"}
    assert printed.out.startswith(first[form])
    assert printed.out.endswith("\n")
    assert not printed.out.endswith("\n\n")
