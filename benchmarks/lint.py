"""`seatrial lint` against check-jsonschema: one small config in a new process, and a thousand in one call.

    python benchmarks/lint.py [--peer PYTHON] [--rounds 15] [--configs 1000]

Whole processes, in turn, so that a busy moment of the machine meets both; medians of the processor time that each took,
which on an idle machine is the time from its start to its end, and on a shared one does not count the neighbours.
check-jsonschema gets the agent schema and looks at nothing else: no versions, no rules beyond the schema, no places in
the source. The thousand are made from one template, as configs in a repository often are, and the next row shows them
each with its own words. `--peer` is the Python of an environment that has check-jsonschema; without, one is made in
build/lint-peer. Ends with 1 where a figure is not reached. The table is what the README shows; the ratios count, not
the times.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SMALL = {
    "harness": {
        "memory": {
            "enabled": True,
            "scope": {"read": ["session"], "write": ["session"]},
            "tools": ["add_memory", "read_memory", "delete_memory"],
            "pinned": {"max_tokens": 2000},
        }
    }
}
WHOLE = """\
agent: reconciler{number}
version: 3
sessions: true
model: {{name: large-model, context_tokens: 200000}}
limits: {{model_calls: 50}}
harness:
  context: {{offload_threshold: 2000, summarize_at: 60000, keep_messages: 8}}
  history: {{index: messages_and_tools}}
  memory:
    enabled: true
    scope: {{read: [session], write: [session]}}
    tools: [add_memory, read_memory, delete_memory]
    pinned: {{max_tokens: 2000}}
    model: small-model
    extraction: {{prompt: "Keep rulings and limits.", every: turn}}
    search: {{mode: hybrid, max_results: 8, min_score: 0.35}}
    kinds: [guidance, fact, event, reference]
    labels:
      customer_id: {{number: 5, description: The customer the memory is about.}}
      invoice: {{number: 6, description: The invoice that a ruling came from.}}
      currency: {{number: 7, description: The currency of the amounts in it.}}
"""
KINDS = ("json", "yaml")
GROWN = 4  # how many times as many configs show that time is linear and memory flat


class Run(NamedTuple):
    seconds: float  # of a processor
    megabytes: float  # the most that was resident


class Figure(NamedTuple):
    """One row: what both took, the ratio, and whether it reaches what it has to."""

    what: str
    ours: str
    theirs: str
    ratio: float
    bound: str
    reached: bool


def measured(command: Sequence[str], environment: dict[str, str]) -> Run:
    """One process, which has to find nothing."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(command)[:200]} ended with {process.returncode}:\n{said.read(2000).decode()}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def medians(commands: dict[str, Sequence[str]], environments: dict[str, dict[str, str]], rounds: int) -> dict[str, Run]:
    """Every command once to warm up (bytecode, caches of the disk), then in turn."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            run = measured(command, environments[name.split()[0]])
            if number:
                runs[name].append(run)
    return {
        name: Run(statistics.median(each.seconds for each in many), statistics.median(each.megabytes for each in many))
        for name, many in runs.items()
    }


def peer_python(given: str | None) -> str:
    """The Python that has check-jsonschema; its environment is made where none is given."""
    if given is not None:
        return given
    folder = ROOT / "build" / "lint-peer"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "check-jsonschema"], check=True)
    return str(python)


def written(folder: Path, kind: str, count: int, *, differ: bool = False) -> list[str]:
    """So many configs of as many agents, in a folder of their own: from one template, or each with its own words."""
    import yaml

    inside = folder / f"{count}-{kind}{'-differ' * differ}"
    inside.mkdir()
    for number in range(count):
        text = WHOLE.format(number=number)
        if differ:
            text = text.replace("the memory is about", f"case {number} is about").replace("customer", f"party{number}")
            text = text.replace("max_tokens: 2000", f"max_tokens: {1000 + number}")
        path = inside / f"reconciler{number}.v3.{kind}"
        path.write_text(json.dumps(yaml.safe_load(text), indent=2) if kind == "json" else text, encoding="utf-8")
    return sorted(map(str, inside.iterdir()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="a Python that has check-jsonschema")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--configs", type=int, default=1000)
    chosen = parser.parse_args()
    peer = peer_python(chosen.peer)
    plain = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    ours_path = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    environments = {"ours": plain | ours_path, "theirs": plain}
    lint = [sys.executable, "-m", "seatrial", "lint"]
    check = [peer, "-m", "check_jsonschema", "--schemafile", str(ROOT / "schemas" / "agent.schema.json")]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        cold: dict[str, Sequence[str]] = {}
        many: dict[str, Sequence[str]] = {}
        for kind in KINDS:
            small = folder / f"v1.{kind}"
            small.write_text(json.dumps(SMALL, indent=2) if kind == "json" else block(SMALL), encoding="utf-8")
            cold |= {f"ours {kind}": [*lint, str(small)], f"theirs {kind}": [*check, str(small)]}
            files = written(folder, kind, chosen.configs)
            grown = written(folder, kind, GROWN * chosen.configs)
            many |= {
                f"ours {kind}": [*lint, *files],
                f"theirs {kind}": [*check, *files],
                f"ours grown {kind}": [*lint, str(Path(grown[0]).parent)],
                f"ours differ {kind}": [*lint, *written(folder, kind, chosen.configs, differ=True)],
            }
        one = medians(cold, environments, chosen.rounds)
        all_of_them = medians(many, environments, max(3, chosen.rounds // 3))
    figures = [
        each for kind in KINDS for each in rows(kind, chosen.configs, one, all_of_them)
    ]  # fmt: skip
    print(table(figures, version([sys.executable, "-m", "seatrial"], environments["ours"]), version(check[:3], plain)))
    sys.exit(None if all(each.reached for each in figures) else 1)


def block(value: object) -> str:
    """The small config as people write it in YAML."""
    import yaml

    text: str = yaml.safe_dump(value, sort_keys=False)
    return text


def version(program: Sequence[str], environment: dict[str, str]) -> str:
    said = subprocess.run(
        [*program, "--version"], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return said.stdout.split()[-1]


def rows(kind: str, count: int, cold: dict[str, Run], many: dict[str, Run]) -> list[Figure]:
    """The figures of one kind of file."""
    name = kind.upper()
    ours, theirs = cold[f"ours {kind}"], cold[f"theirs {kind}"]
    first = ours.seconds / theirs.seconds
    most = {"json": 0.4, "yaml": 0.5}[kind]
    bulk, their_bulk, grown = many[f"ours {kind}"], many[f"theirs {kind}"], many[f"ours grown {kind}"]
    rate = their_bulk.seconds / bulk.seconds
    differ = many[f"ours differ {kind}"]
    linear = (grown.seconds - ours.seconds) / (bulk.seconds - ours.seconds) / GROWN
    memory = grown.megabytes / bulk.megabytes
    return [
        Figure(
            f"one small {name} config, a new process",
            f"{ours.seconds * 1000:.0f} ms",
            f"{theirs.seconds * 1000:.0f} ms",
            first,
            f"≤ {most}",
            first <= most,
        ),
        Figure(
            f"{count:,} {name} configs in one call",
            f"{count / bulk.seconds:,.0f}/s",
            f"{count / their_bulk.seconds:,.0f}/s",
            rate,
            "≥ 5",
            rate >= 5,
        ),
        Figure(
            "… each with its own words",
            f"{count / differ.seconds:,.0f}/s",
            "",
            their_bulk.seconds / differ.seconds,
            "",
            True,
        ),
        Figure(
            f"… time per config, {GROWN * count:,} to {count:,}",
            f"{(grown.seconds - ours.seconds) / GROWN / count * 1e6:.0f} µs",
            "",
            linear,
            "≤ 1.2",
            linear <= 1.2,
        ),
        Figure(
            f"… peak memory, {GROWN * count:,} to {count:,}",
            f"{grown.megabytes:.0f} MB",
            f"{their_bulk.megabytes:.0f} MB",
            memory,
            "≤ 1.5",
            memory <= 1.5,
        ),
    ]


def table(figures: Sequence[Figure], ours: str, theirs: str) -> str:
    """The rows as Markdown."""
    lines = [
        f"| Python {sys.version.split()[0]} | seatrial {ours} | check-jsonschema {theirs} | ratio | to reach |",
        "| --- | --- | --- | --- | --- |",
    ]
    for each in figures:
        missed = "" if each.reached else " **missed**"
        lines.append(f"| {each.what} | {each.ours} | {each.theirs} | {each.ratio:.2f} | {each.bound}{missed} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
