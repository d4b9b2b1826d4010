"""What work may cost as it grows: held against a smaller piece of the same, as machines differ and are busy."""

import time
from collections.abc import Callable
from typing import Final

_FEWER: Final = 8
_SLACK: Final = 4
"""What is quadratic costs eight times what is in proportion; half of that is left to a busy machine."""
_LEAST: Final = 0.01
"""Seconds of a processor below which a smaller piece tells nothing."""


_TRIES: Final = 3


def grows_in_proportion(work: Callable[[int], object], size: int) -> bool:
    """Whether work of a size takes no more of a processor than an eighth of it foretells, in one of three tries."""
    return any(_in_proportion(work, size) for _ in range(_TRIES))


def _in_proportion(work: Callable[[int], object], size: int) -> bool:
    small, large = _processor(work, size // _FEWER), _processor(work, size)
    return large < _SLACK * _FEWER * max(small, _LEAST)


def _processor(work: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    work(size)
    return time.process_time() - began
