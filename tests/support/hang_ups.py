"""A process that a hang-up ends, however the tests were started."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def hang_ups_end() -> Iterator[None]:
    """SIGHUP ends a process, also where whoever runs the tests ignores it, as nohup does, and so would each child."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
