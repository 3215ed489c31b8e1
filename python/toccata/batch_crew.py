"""Who works on a batch: processes of this machine (concurrent.futures), or the workers of a Dask cluster.

Both take pieces of work and give back how each ended: answered, died with its worker, or lost with the connection.
"""
from __future__ import annotations

import concurrent.futures as futures
import contextlib
import itertools
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import threading
import time
import warnings
from collections import deque
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Callable, Iterator

from ._toccata import __version__
from .batch_worker import Job, Raised, guarded, hello, packed, same_bytes

MOST_DEATHS = 3  #: a piece of work that took that many workers with it is not tried again as it is


class BatchStopped(RuntimeError):
    """A batch cannot go on. What it computed is in its store, if it has one: run it again to go on."""


@dataclass
class Outcome:
    """How a piece of work ended."""

    piece: Any
    answer: Any = None
    error: BaseException | None = None  #: raised by the work itself
    died: str = ""  #: with its worker; says how, as far as is known
    lost: bool = False  #: not begun, or nobody knows: to be started again without blame


class LocalCrew:
    """One process per worker, each a pool of its own: where one dies, it is known what it worked on."""

    ahead = 2  # pieces a worker has, so that it need not wait for the next one

    def __init__(self, workers: int | None) -> None:
        self.size = workers if workers is not None else len(os.sched_getaffinity(0))
        self._context = multiprocessing.get_context("spawn")
        self._pools: list[futures.ProcessPoolExecutor | None] = [None] * self.size
        self._work: list[deque[tuple[Any, futures.Future[Any]]]] = [deque() for _ in range(self.size)]
        self._processes: list[list[Any]] = [[] for _ in range(self.size)]

    def greet(self) -> None:
        for attempt in range(MOST_DEATHS):
            try:
                self._submit(0, hello, __version__).result()
                return
            except BrokenProcessPool:
                cause = self._cause(0)
        raise BatchStopped(f"worker processes end before they do any work ({cause})")

    def has_room(self) -> bool:
        return any(len(work) < self.ahead for work in self._work)

    def start(self, piece: Any, function: Callable[..., Any], job: Job, rows: Any) -> None:
        slot = min(range(self.size), key=lambda i: len(self._work[i]))
        try:
            future = self._submit(slot, function, job, rows)
        except BrokenProcessPool as died:
            if self._work[slot]:  # it died since, with what it has: this piece goes with that, so that the cause is asked of it
                future = futures.Future()
                future.set_exception(died)
            else:
                self._pools[slot] = None
                future = self._submit(slot, function, job, rows)
        self._work[slot].append((piece, future))

    def finished(self, timeout: float) -> list[Outcome]:
        waiting = [work[0][1] for work in self._work if work]
        futures.wait(waiting, timeout=timeout, return_when=futures.FIRST_COMPLETED)
        outcomes: list[Outcome] = []
        for slot, work in enumerate(self._work):
            while work and work[0][1].done():
                piece, future = work.popleft()
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    # Pieces are worked on in their order, so that the first unfinished one was.
                    outcomes.append(Outcome(piece, died=self._cause(slot)))
                    outcomes.extend(Outcome(other, lost=True) for other, _ in work)
                    work.clear()
                elif error is not None:
                    outcomes.append(Outcome(piece, error=error))
                else:
                    outcomes.append(Outcome(piece, answer=future.result()))
        return outcomes

    def close(self) -> None:
        for pool in self._pools:
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        for processes in self._processes:
            for process in processes:
                process.join(5.0)

    def _submit(self, slot: int, function: Callable[..., Any], *arguments: Any) -> futures.Future[Any]:
        pool = self._pools[slot]
        if pool is None:
            pool = self._pools[slot] = futures.ProcessPoolExecutor(1, mp_context=self._context, initializer=_serve, initargs=(os.getpid(),))
            with _without_main():
                future = pool.submit(function, *arguments)
            self._processes[slot] = list((getattr(pool, "_processes", None) or {}).values())
            return future
        return pool.submit(function, *arguments)

    def _cause(self, slot: int) -> str:
        """How the process of a slot ended. A new one is started when there is work for it."""
        pool, self._pools[slot] = self._pools[slot], None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes[slot]:
            process.join(5.0)
            if process.exitcode is not None:
                return _ending(process.exitcode)
        return "its process ended"


def _serve(client: int) -> None:
    """Ctrl-C is for the client, which then ends its workers; where it was killed itself, they end, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == client:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _ending(code: int) -> str:
    if code >= 0:
        return f"its process ended with exit code {code}"
    try:
        return f"its process was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"its process was ended by signal {-code}"


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """New processes do not run the user's script again: they need the package alone, and scripts need no guard."""
    main = sys.modules.get("__main__")
    kept = {name: getattr(main, name) for name in ("__spec__", "__file__") if hasattr(main, name)}
    try:
        if "__spec__" in kept:
            setattr(main, "__spec__", None)
        if "__file__" in kept:
            delattr(main, "__file__")
        yield
    finally:
        for name, value in kept.items():
            setattr(main, name, value)


class DaskCrew:
    """The workers of a Dask cluster, through its Client."""

    def __init__(self, client: Any, blobs: list[Any], patience: float) -> None:
        import distributed

        self._dask, self._client, self._own = distributed, client, False
        self._blobs, self._things = blobs, []
        self._patience = patience
        self._address = str(client.scheduler.address)
        self._ended: queue.Queue[Any] = queue.Queue()
        self._work: dict[Any, Any] = {}  # piece by future's key
        self._number = itertools.count()
        self._calm = f"toccata-{os.uname().nodename}-{os.getpid()}-{id(self)}"  # the plugin of this batch
        self.size = 1

    def greet(self) -> None:
        deadline = time.monotonic() + self._patience
        while not self._workers():
            if time.monotonic() > deadline:
                raise BatchStopped(f"the scheduler at {self._address} has no workers")
            time.sleep(0.2)
        try:
            told = self._client.run(guarded, hello, __version__, on_error="return")
        except Exception as error:
            raise BatchStopped(f"the workers of {self._address} do not answer: {error}") from error
        for worker, answer in told.items():
            if isinstance(answer, Raised):
                raise answer.error
            if isinstance(answer, BaseException):
                raise BatchStopped(f"the worker {worker} cannot use toccata: {answer}")
        self._calm_workers()
        self._bring_things()

    def _workers(self) -> dict[str, Any]:
        found: dict[str, Any] = self._client.scheduler_info()["workers"]
        self.size = max(1, sum(int(worker["nthreads"]) for worker in found.values()))
        return found

    def _calm_workers(self) -> None:
        """A cluster that does not let clients do so is asked all the same, and spends more on looking at itself."""
        from .batch_dask import CalmWorkers

        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # newer ones would have it called register_plugin
            self._client.register_worker_plugin(CalmWorkers(self._calm), name=self._calm)

    def _bring_things(self) -> None:
        """Not scattered, since data that was scattered dies with its worker; a task can be run again. Equal ones once."""
        brought: dict[Any, Any] = {None: None}
        for blob in self._blobs:
            if blob not in brought:
                brought[blob] = self._client.submit(same_bytes, blob, pure=False)
        self._things = [brought[blob] for blob in self._blobs]

    def has_room(self) -> bool:
        return len(self._work) < 3 * self.size

    def start(self, piece: Any, function: Callable[..., Any], job: Job, rows: Any) -> None:
        key = f"toccata-{os.getpid()}-{next(self._number)}"
        try:
            with warnings.catch_warnings():
                # Rows travel with their task by intent: data that was scattered dies with its worker.
                warnings.filterwarnings("ignore", message="Large object|Sending large graph")
                future = self._client.submit(packed, function, job, rows, *self._things, key=key, pure=False)
        except Exception:  # the connection is gone; finished() finds out and says so
            self._work[key] = (piece, None)
            return
        self._work[key] = (piece, future)
        future.add_done_callback(lambda done: self._ended.put(done.key))

    def finished(self, timeout: float) -> list[Outcome]:
        try:
            keys = [self._ended.get(timeout=timeout)]
        except queue.Empty:
            return self._again() if self._is_gone() else []
        while not self._ended.empty():
            keys.append(self._ended.get())
        outcomes = []
        for key in keys:
            piece, future = self._work.pop(key, (None, None))
            if piece is None or future is None:
                continue
            if future.status in ("cancelled", "lost"):
                outcomes.append(Outcome(piece, lost=True))
                continue
            try:
                found = pickle.loads(future.result(timeout=self._patience))
                outcomes.append(Outcome(piece, error=found.error) if isinstance(found, Raised) else Outcome(piece, answer=found))
            except self._dask.scheduler.KilledWorker as error:
                outcomes.append(Outcome(piece, died=f"its workers died, the last one {error.last_worker}"))
            except (futures.CancelledError, self._dask.CancelledError, OSError, TimeoutError,
                    self._dask.TimeoutError):
                outcomes.append(Outcome(piece, lost=True))
            except Exception as error:
                outcomes.append(Outcome(piece, error=error))
        if any(outcome.lost for outcome in outcomes) and self._is_gone():
            outcomes.extend(self._again())
        return outcomes

    def _is_gone(self) -> bool:
        comm = self._client.scheduler_comm
        return self._client.status != "running" or comm is None or comm.comm.closed()

    def _again(self) -> list[Outcome]:
        """The scheduler is gone, and with it all that was under way. If one is back in time, work goes on there."""
        lost = [Outcome(piece, lost=True) for piece, _ in self._work.values()]
        self._work.clear()
        self._ended = queue.Queue()
        deadline = time.monotonic() + self._patience
        while time.monotonic() < deadline:
            try:
                client = self._dask.Client(self._address, timeout=2, set_as_default=False)
            except Exception:
                time.sleep(0.5)
                continue
            if self._own:
                self._client.close(timeout=2)
            self._client, self._own = client, True
            self.greet()
            return lost
        raise BatchStopped(f"the scheduler at {self._address} is gone, and did not come back within {self._patience:g} s")

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.cancel([future for _, future in self._work.values() if future is not None])
        with contextlib.suppress(Exception):
            self._client.unregister_worker_plugin(self._calm)
        self._things = []
        if self._own:
            self._client.close(timeout=2)
