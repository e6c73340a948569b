"""Workers that are processes of this machine.

Each is a new interpreter (spawn): one that was forked would share threads and locks of what is loaded here. It loads
what tasks need once, when it starts. docs/decisions/processes.md tells why this is `concurrent.futures` alone.
"""

from __future__ import annotations

import importlib
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from typing import Any, TypeVar

from .crew import Crew

_Value = TypeVar("_Value")

_GRACE = 2.0  # seconds that what runs at the end may take to finish: a scenario takes some milliseconds


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not everywhere
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def processes(workers: int, modules: Sequence[str]) -> Crew:
    """A crew of so many processes, each of which loads `modules` when it starts."""
    return Crew(lambda count: Processes(count, modules), workers, window=2 * workers)


class Processes(ProcessPoolExecutor):
    """Processes that take no Ctrl-C for themselves, do not outlive this one, and leave no files behind.

    All of them start at once, to load while this process does.
    """

    def __init__(self, workers: int, modules: Sequence[str]) -> None:
        self._others = frozenset(active_children())
        self._folder = tempfile.TemporaryDirectory(prefix="seatrial-", ignore_cleanup_errors=True)
        super().__init__(
            workers, get_context("spawn"), initializer=_begin, initargs=(self._folder.name, tuple(modules))
        )
        for _ in range(workers):
            self.submit(_ready)

    def submit(self, fn: Callable[..., _Value], /, *args: Any, **kwargs: Any) -> Future[_Value]:
        with _uninterrupted():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes: what runs may finish within the grace, and is terminated after it."""
        mine = [process for process in active_children() if process not in self._others]
        ending = threading.Thread(target=partial(super().shutdown, wait, cancel_futures=cancel_futures))
        ending.start()
        try:
            ending.join(_GRACE)
        finally:
            if ending.is_alive():
                for process in mine:
                    process.terminate()
            ending.join()
            self._folder.cleanup()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that start meanwhile have Ctrl-C blocked, from their first moment. For this one it comes afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(folder: str, modules: Sequence[str]) -> None:
    """The start of a worker. `folder` takes its temporary files: of one that is killed, too, they are removed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for module in modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """Without this a worker whose parent was killed would wait for ever for its next call."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _ready() -> None:
    """Nothing: what is submitted first makes a worker start."""
