"""Answers remembered, so that every request is made once per connection."""

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from runbook.model.errors import CannotLook

T = TypeVar("T")


class Memory:
    """Remembers answers, and failures to get one, by name; askers of the same name wait for one answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[Hashable, _Once] = {}

    def once(self, name: Hashable, ask: Callable[[], T]) -> T:
        """Return the remembered answer, asking for it the first time.

        Raises:
            CannotLook: as the first time.
        """
        with self._lock:
            once = self._known.setdefault(name, _Once())
        return cast("T", once.get(ask))


class _Once:
    """One answer or failure, got under a lock of its own so that other questions need not wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answer: list[Any] = []
        self._error: CannotLook | None = None

    def get(self, ask: Callable[[], Any]) -> Any:
        with self._lock:
            if self._error is not None:
                raise type(self._error)(str(self._error))  # a fresh one: each thread adds its own traceback
            if not self._answer:
                try:
                    self._answer.append(ask())
                except CannotLook as error:
                    self._error = error
                    raise
            return self._answer[0]
