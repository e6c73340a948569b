"""What a subclass of MemoryMachine states, looked at when the class is made: what is wrong is told by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from types import FunctionType
from typing import Any

from hypothesis.strategies import SearchStrategy

from .given import flag, second_runs_of, shown
from .scenarios import session_names, written_configs

DRAWN = ("messages", "summaries", "queries", "new_records")

_FLAGS = ("previews", "rollbacks", "restarts", "operators", "derived")
_KNOBS: dict[str, Callable[[Any, str], Any]] = {
    "configs": lambda given, _: written_configs(given),
    "session_names": session_names,
    "second_runs": lambda given, _: second_runs_of(given),
    **dict.fromkeys(_FLAGS, flag),
}
_OF_SCRIPTS = ("interleaved", "deploys", "helpers", "reviews", "hostile")  # what a machine has in other ways
_ALIKE = 0.8


def look(made: type, machine: type) -> None:
    """Raises TypeError and ValueError for what `made`, a subclass of `machine`, states and no machine can use."""
    __tracebackhide__ = True
    stated = {name for each in made.__mro__ if machine in each.__mro__[1:] for name in vars(each)}
    for name, value in list(vars(made).items()):
        try:
            if name in _KNOBS:
                setattr(made, name, _KNOBS[name](value, name))  # what can be looked at once is kept
            elif hasattr(machine, name):
                _overrides(name, value, vars(machine).get(name))
            elif not name.startswith("_"):
                _is_no_slip(name, value, [each for each in (*_KNOBS, *DRAWN) if each not in stated])
        except (TypeError, ValueError) as wrong:
            raise type(wrong)(f"{made.__name__}: {wrong}") from None


def _overrides(name: str, value: Any, ours: Any) -> None:
    """Whether `value` can stand for what the machine has under its name. For a rule anything can: it is taken away."""
    if name in DRAWN and not callable(value):
        turn = ", turn" if name == "new_records" else ""
        raise TypeError(f"`{name}` is a method that gives a strategy, `def {name}(self{turn})`; this is {shown(value)}")
    if isinstance(ours, property | SearchStrategy):
        fits = isinstance(value, property | SearchStrategy)
    else:
        fits = not isinstance(ours, FunctionType) or marked(ours) or (value is not None and not marked(value))
    if not fits:
        hint = "; sessions are named by `session_names`" if name == "sessions" else ""
        raise TypeError(f"`{name}` is a machine's own: call yours otherwise; this is {shown(value)}{hint}")


def _is_no_slip(name: str, value: Any, meant: Iterable[str]) -> None:
    """Whether a name that is new is not one of `meant`, misspelt, or an argument of `scripts`."""
    if isinstance(value, bool) and name in _OF_SCRIPTS:
        raise TypeError(
            f"`{name}` is an argument of `scripts`; of a machine rules are taken away, as in `deploy = None`"
        )
    if marked(value):
        return
    fitting = [each for each in meant if (each in DRAWN) == callable(value)]
    near = get_close_matches(name, fitting, n=1, cutoff=_ALIKE)
    if near:
        raise TypeError(f"a machine has no `{name}`; did you mean `{near[0]}`? If it is yours, call it otherwise")


def marked(value: Any) -> bool:
    """Whether it is a rule or an invariant: Hypothesis marks them."""
    return isinstance(value, FunctionType) and bool(vars(value).keys() - {"__wrapped__"})


def given_by(machine: Any, what: str, *turn: Any) -> SearchStrategy[Any]:
    """The strategy that the method `what` of a machine gives. Raises TypeError."""
    given = getattr(machine, what)(*turn)
    if not isinstance(given, SearchStrategy):
        where = f"{type(machine).__name__}.{what}"
        raise TypeError(f"{where} gives a strategy of Hypothesis, as in st.just(…); this is {shown(given)}")
    return given
