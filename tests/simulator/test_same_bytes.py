"""SCH-7, TXN-4: every shipped scenario gives the same bytes in fresh processes, with other hash seeds, and with a store
in memory or in a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).parents[2] / "scenarios"
PROCESS = """
import hashlib, json, sys
from pathlib import Path
from seatrial.simulator.load import Loader
from seatrial.simulator.runner import run_script

folder = None if sys.argv[1] == "memory" else Path(sys.argv[2])
loader, told = Loader(), {}
for path in sys.argv[3:]:
    store = None if folder is None else folder / f"{len(told)}.sqlite"
    trace = run_script(loader.load(Path(path)).script, store=store).trace
    told[path] = hashlib.sha256(trace.text.encode()).hexdigest()
print(json.dumps(told))
"""


def process(seed: str, where: str, folder: Path) -> subprocess.Popen[str]:
    paths = map(str, sorted(SUITE.rglob("*.scenario.yaml")))
    return subprocess.Popen(
        [sys.executable, "-c", PROCESS, where, str(folder), *paths],
        env={**os.environ, "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_the_suite_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    processes = [process("1", "memory", tmp_path), process("2", "file", tmp_path)]
    told = [json.loads(each.communicate()[0]) for each in processes]
    assert [each.returncode for each in processes] == [0, 0]
    assert len(told[0]) >= 60
    assert [path for path in told[0] if told[0][path] != told[1][path]] == []
    assert len(list(tmp_path.glob("*.sqlite"))) == len(told[1])
