"""Workers that are processes of this machine.

Each is a new interpreter (spawn): one that was forked would share threads and locks of what is loaded here. It loads
what tasks need once, when it starts. docs/decisions/processes.md tells why this is no pool of the standard library.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from traceback import format_exc
from typing import Any, TypeAlias, TypeVar

from .crew import Crew

_Value = TypeVar("_Value")
_Call: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]

_SPAWN = get_context("spawn")


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not everywhere
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def processes(workers: int, modules: Sequence[str]) -> Crew:
    """A crew of so many processes, each of which loads `modules` when it starts."""
    return Crew(lambda: Processes(workers, modules), window=2 * workers)


class Processes(Executor):
    """Processes that take no Ctrl-C for themselves, do not outlive this one, and leave no files behind.

    All of them start at once, to load while this process does. Each has a thread here and a pipe of its own: when it
    dies, the call that it had ends with BrokenExecutor, no other call does, and another process takes its place.
    """

    def __init__(self, workers: int, modules: Sequence[str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="seatrial-", ignore_cleanup_errors=True)
        self._modules = tuple(modules)
        self._calls: SimpleQueue[tuple[Future[Any], _Call] | None] = SimpleQueue()
        self._lock = threading.Lock()  # of the two below
        self._working: set[_Worker] = set()
        self._ended = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., _Value], /, *args: Any, **kwargs: Any) -> Future[_Value]:
        future: Future[_Value] = Future()
        self._calls.put((future, (fn, args, kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes at once: whoever still wants a result waits for it before."""
        with self._lock:
            self._ended = True
            for worker in self._working:
                worker.kill()
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()
        self._folder.cleanup()

    def _serve(self) -> None:
        """Has one call after another done by a process, and by another once that has died."""
        _shield()
        worker: _Worker | None = None
        with suppress(Exception):  # what goes wrong with a start is told by the call that needs it
            worker = self._hired()
        while (waiting := self._calls.get()) is not None:
            future, call = waiting
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if worker is None or not worker.alive():
                    worker = self._hired(worker)
                result = worker.result(call)
            except BaseException as raised:
                future.set_exception(raised)
            else:
                future.set_result(result)
        self._dismiss(worker)

    def _hired(self, dead: _Worker | None = None) -> _Worker:
        """A worker, in place of one that has died. It has loaded: no results pile up behind that of its first call."""
        self._dismiss(dead)
        with self._lock:
            if self._ended:
                raise BrokenExecutor("it was shut down")
            worker = _Worker(self._folder.name)
            self._working.add(worker)
        try:
            worker.result((_load, (self._modules,), {}))
        except BaseException:
            self._dismiss(worker)
            raise
        return worker

    def _dismiss(self, dead: _Worker | None) -> None:
        if dead is not None:
            with self._lock:
                self._working.discard(dead)
            dead.close()


class _Worker:
    """A process, as the thread sees it that has calls for it."""

    def __init__(self, folder: str) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(theirs, folder), daemon=True)
        try:
            self._process.start()
        finally:
            theirs.close()  # only the process holds it now: the pipe ends with it

    def alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """End it, and free what it had."""
        self.kill()
        self._process.join()
        self._pipe.close()

    def result(self, call: _Call) -> Any:
        """What the call returns or raises there. Raises BrokenExecutor where the process dies meanwhile."""
        packed = pickle.dumps(call)
        try:
            self._pipe.send_bytes(packed)
            told = self._pipe.recv_bytes()
        except (EOFError, OSError) as gone:  # also in the middle of a result
            self.kill()  # a pipe ends before its process has: it shall not seem alive
            self._process.join()
            raise BrokenExecutor("the process died") from gone
        result, error, trace = pickle.loads(told)  # noqa: S301 - packed by `_done`
        if error is not None:
            raise error from _ThereError(trace)
        return result


class _ThereError(Exception):
    """The traceback of what was raised in a worker."""


def _shield() -> None:
    """Keep from this thread, and from the processes that it starts, what a terminal sends to all of its processes."""
    if not hasattr(signal, "pthread_sigmask"):
        return
    from multiprocessing.resource_tracker import ensure_running

    signals = {signal.SIGINT, signal.SIGHUP}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    ensure_running()  # or the first start would run it, which lets Ctrl-C through again
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)


def _work(pipe: Connection, folder: str) -> None:
    """A worker. `folder` takes its temporary files: of one that is killed, too, they are removed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))


def _load(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """Without this a worker whose parent was killed would go on with its call."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _done(packed: bytes) -> bytes:
    """The result of a call, what it raised, and where: packed for `_Worker.result`."""
    try:
        fn, args, kwargs = pickle.loads(packed)  # noqa: S301 - packed by `_Worker.result`
        return pickle.dumps((fn(*args, **kwargs), None, ""))
    except BaseException as raised:
        trace = f"\n{format_exc()}"
        try:
            return pickle.dumps((None, raised, trace))
        except Exception as unpackable:
            return pickle.dumps((None, unpackable, trace))
