"""Workers of a dask.distributed cluster, which may be on other machines: they need no file of this one.

A worker needs this version of seatrial. Each call names it before anything of the call is unpacked, so that a worker
with another one says so in place of a verdict. A scheduler needs none: all that it sees of a call is some bytes.
"""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures import wait as until_done
from typing import Any, TypeVar
from urllib.parse import urlsplit
from weakref import WeakSet

from seatrial import __version__
from seatrial.schemas.wording import reason

from .crew import Crew

_Value = TypeVar("_Value")

_CONNECT = 10.0  # seconds for a scheduler to answer
_WORKERS = 30.0  # seconds that a cluster may be without any worker: a new one takes some to start
_ALONE = threading.Lock()  # a worker may have several threads, and a fault of the catalogue alters the whole process


class ClusterError(Exception):
    """A cluster cannot be used. As text it says why, and what to do."""


class OtherVersionError(Exception):
    """Raised in a worker."""


def cluster(address: str) -> Crew:
    """The crew of all workers of the cluster whose scheduler is at `address`, `dask://HOST:PORT`.

    Raises ClusterError.
    """
    where = _where(address)
    try:
        import distributed
    except ImportError as missing:
        raise ClusterError(
            "a cluster needs dask.distributed: pip install '.[dask]' in a checkout of seatrial"
        ) from missing
    for noisy in (
        "distributed",
        "distributed.client",
        "tornado.application",
        "asyncio",
    ):  # what matters of it is told as an error of ours
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(where, timeout=_CONNECT, set_as_default=False)
        threads = sum(client.nthreads().values())
    except (OSError, TimeoutError, ValueError) as unreachable:
        raise ClusterError(f"no scheduler of dask answers at {where}; `dask scheduler` starts one") from unreachable
    watch = _Watch(client, where)
    return Crew(
        lambda: _Cluster(client, where),
        window=2 * threads or 2,
        dies=(distributed.scheduler.KilledWorker,),
        alive=watch.look,
        far=True,
        ends=client.close,
    )


def trouble(raised: BaseException, where: str) -> str | None:
    """What is wrong with the cluster `where` a call raised this, and what to do; None where it is the call's own."""
    from distributed.comm import CommClosedError

    if isinstance(raised, OtherVersionError):
        return str(raised)
    if isinstance(raised, ImportError):
        lacking = (raised.name or str(raised)).partition(".")[0]
        what = f"seatrial {__version__}" if lacking == "seatrial" else f"{lacking}, which seatrial needs there"
        extra = "[fuzz]" if lacking == "hypothesis" else ""
        return f"a worker of the cluster has no {what}: pip install 'seatrial{extra}=={__version__}' where it runs"
    if isinstance(raised, RuntimeError) and "deserialization" in str(raised):  # by the scheduler
        return (
            "the scheduler cannot read what it is sent: it needs the versions of Python and of dask that are used here"
        )
    if isinstance(raised, CommClosedError):  # to the scheduler, which hands out what workers gave
        return _gone(where)
    if isinstance(raised, OSError):  # a full disk, a connection that broke: not of this machine
        return f"the cluster could not go on: {reason(raised)}"
    return None


def _gone(where: str) -> str:
    return f"the scheduler at {where} is gone: what it had not answered has no verdict; `dask scheduler` starts one"


def _where(address: str) -> str:
    """`tcp://HOST:PORT`."""
    try:
        parts = urlsplit(address)
        named = parts.scheme == "dask" and parts.hostname and parts.port and not parts.path.strip("/")
    except ValueError:  # no port that there could be
        named = False
    if not named:
        raise ClusterError(f"{address!r} is no executor: it is written dask://HOST:PORT")
    return f"tcp://{parts.netloc}"


class _Watch:
    """Whether anybody is there who could give a result."""

    def __init__(self, client: Any, where: str) -> None:
        self._client = client
        self._where = where
        self._since: float | None = None  # when it was first seen without workers

    def look(self) -> None:
        """Raises ClusterError where the scheduler is gone, or has been without workers for too long."""
        try:
            threads = self._client.nthreads() if self._client.status == "running" else None
        except (OSError, TimeoutError):
            threads = None
        if threads is None:
            raise ClusterError(_gone(self._where))
        if threads:
            self._since = None
            return
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if now - self._since > _WORKERS:
            raise ClusterError(f"the cluster at {self._where} has no workers; `dask worker {self._where}` starts one")


class _Errand:
    """A call, packed so that unpacking it makes the call."""

    def __init__(self, packed: bytes) -> None:
        self._packed = packed

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, bytes]]:
        return _call, (__version__, self._packed)


class _Cluster(Executor):
    """Packs each call with the version. What a call raises because of the cluster is a ClusterError.

    The client's own executor takes a result for an error where the worker died that had just given it.
    """

    def __init__(self, client: Any, where: str) -> None:
        self._client = client
        self._where = where
        self._running: WeakSet[Future[Any]] = WeakSet()

    def submit(self, fn: Callable[..., _Value], /, *args: Any, **kwargs: Any) -> Future[_Value]:
        errand = pickle.dumps(_Errand(pickle.dumps((fn, args, kwargs))))
        theirs = self._client.submit(pickle.loads, errand, pure=False)
        ours: Future[_Value] = Future()
        ours.add_done_callback(lambda _: theirs.cancel() if ours.cancelled() and not theirs.cancelled() else None)
        self._running.add(ours)
        self._client.loop.add_callback(_told, theirs, ours, self._where)
        return ours

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        running = [*self._running]
        if cancel_futures:
            for future in running:
                future.cancel()
        elif wait:
            until_done(running)


async def _told(theirs: Any, ours: Future[Any], where: str) -> None:
    """Passes on what becomes of a call."""
    result, error = None, None
    try:
        result = await theirs._result()  # the public `result` is awaited in a client that is asynchronous only
    except BaseException as raised:
        error = raised
    if theirs.cancelled():
        ours.cancel()
    if not ours.set_running_or_notify_cancel():
        return
    if error is None:
        ours.set_result(result)
        return
    said = trouble(error, where)
    if said is not None:
        told = ClusterError(said)
        told.__cause__ = error
        error = told
    ours.set_exception(error)


def _call(version: str, packed: bytes) -> Any:
    """In a worker. One call at a time."""
    if version != __version__:
        raise OtherVersionError(
            f"a worker of the cluster has seatrial {__version__}, and this is {version}: "
            f"pip install seatrial=={version} where it runs"
        )
    with _ALONE:
        fn, args, kwargs = pickle.loads(packed)  # noqa: S301 - packed by `submit`; who reaches a worker runs code anyway
        return fn(*args, **kwargs)
