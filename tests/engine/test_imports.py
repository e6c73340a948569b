"""What opening an engine loads: scikit-learn is the oracle of the tests, and no part of a recall."""

from __future__ import annotations

import subprocess
import sys


def test_the_engine_loads_neither_scikit_learn_nor_scipy() -> None:
    code = "import sys, seatrial.engine; print(sorted({'sklearn', 'scipy', 'networkx', 'faiss'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "['faiss']"
