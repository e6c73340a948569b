"""Many like tasks on an executor, with the results in the order of the items, whatever runs them and in which order.

Nothing here knows what a task is. An executor is any of `concurrent.futures`: of this process, of others (processes.py)
or of a cluster (cluster.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from .interrupts import Interrupts

Item = TypeVar("Item")
Result = TypeVar("Result")
_Value = TypeVar("_Value")

_PATIENCE = 2.0  # seconds without a result, after which it is asked whether anybody is left to give one


@dataclass(frozen=True, slots=True)
class Lost(Generic[Item]):
    """In place of a result: whoever worked on `item` died, and died again when it had nothing else to do."""

    item: Item


class Serial(Executor):
    """Runs each call where it is submitted, at once."""

    def submit(self, fn: Callable[..., _Value], /, *args: Any, **kwargs: Any) -> Future[_Value]:
        future: Future[_Value] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as raised:
            future.set_exception(raised)
        return future


class Crew:
    """What runs tasks. A context manager: when it is left nothing runs or waits any longer, and within it no Ctrl-C is
    lost: `look` raises it again, which `results` calls before each item and after what it gave.

    `make` gives the executor, `window` is how many items may be on their way at once. That a worker died shows as one
    of the exceptions `dies`. `alive` is asked while no result comes, and raises if none can. A crew that is `far` may
    not have this machine's files. `ends` is called when it is left.
    """

    def __init__(
        self,
        make: Callable[[], Executor] = Serial,
        *,
        window: int = 1,
        dies: tuple[type[Exception], ...] = (BrokenExecutor,),
        alive: Callable[[], None] = lambda: None,
        far: bool = False,
        ends: Callable[[], None] = lambda: None,
    ) -> None:
        self._make = make
        self._window = window
        self._dies = dies
        self._alive = alive
        self._executor: Executor = Serial()  # until it is entered
        self._ends = ends
        self._interrupts = Interrupts()
        self.look = self._interrupts.look
        self.far = far

    @property
    def here(self) -> bool:
        """Whether tasks run in this process: what they are given is the caller's own."""
        return isinstance(self._executor, Serial)

    def __enter__(self) -> Crew:
        self._interrupts.begin()
        try:
            with self._interrupts.held():
                self._executor = self._make()
        except BaseException:
            self._interrupts.end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._interrupts.held():
                self._executor.shutdown(cancel_futures=True)
            self._ends()
        finally:
            self._interrupts.end()

    def results(
        self, task: Callable[[Item], Result], items: Iterable[Item], done: Callable[[], None] = lambda: None
    ) -> Generator[Result | Lost[Item], None, None]:
        """The result of each item, in their order; what a task raises is raised in its place.

        `done` is called whenever one is there, in whatever order. Items are taken as they are needed. Those that were
        on their way when a worker died are tried again, each alone, so that the one to blame is told from the others.
        """
        waiting = iter(enumerate(items))
        running: dict[Future[Result], tuple[int, Item]] = {}
        ready: dict[int, Callable[[], Result | Lost[Item]]] = {}
        place = 0
        try:
            while True:
                for index, item in waiting:
                    self.look()
                    running[self._executor.submit(task, item)] = index, item
                    if len(running) >= self._window:
                        break
                if not running:
                    return
                finished = self._finished(running)
                if any(self._died(future) for future in finished):
                    finished = self._finished(running, every=True)
                suspects = sorted((running[future] for future in finished if self._died(future)), key=lambda of: of[0])
                for future in finished:
                    index, _ = running.pop(future)
                    if not self._died(future):
                        ready[index] = future.result
                        done()
                for index, item in suspects:
                    ready[index] = self._alone(task, item)
                    done()
                while place in ready:
                    yield ready.pop(place)()
                    place += 1
                self.look()
        finally:
            for future in running:
                future.cancel()

    def _finished(self, running: Collection[Future[Result]], *, every: bool = False) -> Collection[Future[Result]]:
        """Those that have ended: as soon as one has, or all."""
        while True:
            ended, still = wait(running, _PATIENCE, "ALL_COMPLETED" if every else FIRST_COMPLETED)
            if ended and not (every and still):
                return ended
            self._alive()

    def _died(self, future: Future[Result]) -> bool:
        """Whether what worked on it died."""
        try:
            return isinstance(future.exception(), self._dies)
        except CancelledError:  # not by us: whoever held it is gone
            self._alive()
            return True

    def _alone(self, task: Callable[[Item], Result], item: Item) -> Callable[[], Result | Lost[Item]]:
        """The result, while nothing else is on its way."""
        future = self._executor.submit(task, item)
        self._finished([future])
        return (lambda: Lost(item)) if self._died(future) else future.result
