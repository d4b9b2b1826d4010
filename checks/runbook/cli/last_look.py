"""The facts of the last scheduled run, read beside a run that is under way."""

import threading
from collections.abc import Mapping
from typing import Any

from runbook.evidence.bundle import Bundle
from runbook.model.errors import UsageError

PATIENCE = 0.3  # seconds that an answer waits for them once all else is known; design: "What changed?"


class LastLook:
    """The newest kept facts of one environment, read by a thread of its own.

    Attributes:
        environment: its name.
    """

    def __init__(self, environment: str, store: str, settings: Mapping[str, Any]) -> None:
        """Begin to read.

        Args:
            environment: its name.
            store: where the inventory keeps results and facts.
            settings: how it is reached.
        """
        self.environment = environment
        self._store = store
        self._settings = settings
        self._found: Bundle | None = None
        self._reason = ""
        self._thread = threading.Thread(target=self._read, name="last look", daemon=True)
        self._thread.start()

    def facts(self) -> Bundle | None:
        """What is kept; None where nothing is kept yet.

        Raises:
            UsageError: it could not be read, or not in time.
        """
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            raise UsageError(f"the facts kept in {self._store} were not read in {PATIENCE:g} s")
        if self._reason:
            raise UsageError(self._reason)
        return self._found

    def _read(self) -> None:
        from runbook.evidence.kept_facts import fact_store, kept_facts, kept_runs_of
        from runbook.stores import open_store

        try:
            store = fact_store(open_store(self._store, self._settings))
            runs = kept_runs_of(store, self.environment)
            self._found = kept_facts(store, self.environment, runs[-1]) if runs else None
        except UsageError as error:
            self._reason = str(error)
