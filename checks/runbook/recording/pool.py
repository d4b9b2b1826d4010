"""Threads that ask on behalf of whoever gave them their work."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any


class Pool(ThreadPoolExecutor):
    """A pool whose threads see the context of the call that they serve, and with it for which ask it is."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """As in the standard library."""
        return super().submit(copy_context().run, fn, *args, **kwargs)
