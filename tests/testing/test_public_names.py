"""What `seatrial.testing` offers, and that looking at it loads nothing that is not used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from seatrial import testing

WITHOUT_HYPOTHESIS = """
import sys
sys.modules["hypothesis"] = None
from seatrial.testing import Memory, check, check_trace
check({"scenario": "x", "config": {"harness": {}}, "steps": [{"turn": "a"}]})
"""


def test_every_name_is_there_and_documented() -> None:
    for name in testing.__all__:
        assert getattr(testing, name).__doc__


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match=r"seatrial\.testing. has no attribute .chek."):
        testing.chek  # type: ignore[attr-defined]  # what is tried  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import seatrial.testing, sys; assert not {'hypothesis', 'numpy', 'seatrial.engine'} & {*sys.modules}",
        "from seatrial.testing import Memory; import sys; assert 'hypothesis' not in sys.modules",
        WITHOUT_HYPOTHESIS,
    ],
)
def test_nothing_is_loaded_that_is_not_used(code: str) -> None:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_what_needs_hypothesis_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "seatrial.testing.agents", raising=False)
    with pytest.raises(
        ImportError, match=r"^seatrial\.testing\.configs needs Hypothesis, which seatrial's extra `fuzz`"
    ):
        from seatrial.testing import configs  # noqa: F401 - what is tried
