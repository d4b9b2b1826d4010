"""What tests of the command line share: commands run in this process, in a folder of their own."""

import signal
from collections.abc import Iterator

import pytest

from support.commands_here import command, here, knowledge
from support.own_runbook import cases, first

__all__ = ["cases", "command", "first", "here", "knowledge"]


@pytest.fixture
def hang_ups_end() -> Iterator[None]:
    """SIGHUP ends a process, also where whoever runs the tests ignores it, as nohup does, and so would each child."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
