"""Workers of Dask that look at themselves less often while a batch is on them."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

try:
    from distributed import WorkerPlugin
except ModuleNotFoundError:  # then nobody registers it
    WorkerPlugin = object

@dataclass
class _State:
    """Of one worker, as long as some batch is on it."""

    batches: set[str] = field(default_factory=set)
    before: dict[str, float] = field(default_factory=dict)


_states: dict[int, _State] = {}  # there may be several workers in a process

#: What a worker of Dask does by the clock, and how often at most while it answers, in milliseconds. As it comes, it samples its own
#: stacks every 10 ms and measures how late its event loop is every 20 ms, which is a tenth of its CPU and more.
INTERVALS = {"profile": 1000.0, "tick": 1000.0, "monitor": 10_000.0, "memory_monitor": 5000.0}


class CalmWorkers(WorkerPlugin):  # type: ignore[misc]
    """Also on workers that come later. The intervals are what they were when the last batch on a worker has ended."""

    def __init__(self, batch: str) -> None:
        self.name = batch

    def setup(self, worker: Any) -> None:
        callbacks, state = getattr(worker, "periodic_callbacks", {}), _states.setdefault(id(worker), _State())
        state.batches.add(self.name)
        for name, least in INTERVALS.items():
            callback = callbacks.get(name)
            if callback is not None and callback.callback_time < least:
                state.before.setdefault(name, callback.callback_time)
                callback.callback_time = least

    def teardown(self, worker: Any) -> None:
        state = _states.get(id(worker), _State())
        state.batches.discard(self.name)
        if state.batches:
            return
        callbacks = getattr(worker, "periodic_callbacks", {})
        for name, interval in state.before.items():
            if name in callbacks:
                callbacks[name].callback_time = interval
        _states.pop(id(worker), None)
