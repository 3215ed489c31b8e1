"""Ctrl-C while a batch is being answered."""
from __future__ import annotations

from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a batch. What was finished by then is in ``partial``.

    ``partial`` is what the function would have returned: rows that were not answered are marked ('out_of_budget',
    ``stopped``, or as the function says), and never look free. It is a KeyboardInterrupt, so that programs that do not
    ask for it end as usual.
    """

    def __init__(self, partial: Any) -> None:
        super().__init__("interrupted; what was finished is in the exception's .partial")
        self.partial = partial

    def __reduce__(self) -> tuple[Any, ...]:
        return (Interrupted, (self.partial,))


def complete(interrupted: bool, answer: Answer) -> Answer:
    """The answer; raises it inside ``Interrupted`` where Ctrl-C came first."""
    if interrupted:
        raise Interrupted(answer)
    return answer
