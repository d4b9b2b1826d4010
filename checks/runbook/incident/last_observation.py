"""The facts of the last scheduled run, read beside a run that is under way."""

from collections.abc import Mapping
from typing import Any

from runbook.evidence.bundle import Bundle
from runbook.model.errors import CannotLook, UsageError
from runbook.plugins.beside import Beside

PATIENCE = 0.3  # seconds that an answer waits for them once all else is known; design: "What changed?"


class LastObservation:
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
        self._reading = Beside(lambda: _newest(environment, store, settings), "last look")

    def facts(self) -> Bundle | None:
        """What is kept; None where nothing is kept yet.

        Raises:
            UsageError: it could not be read, or not in time.
        """
        found = self._reading.within(PATIENCE)
        if isinstance(found, CannotLook):
            raise UsageError(f"the facts kept in {self._store} were not read: {found}")
        return found


def _newest(environment: str, where: str, settings: Mapping[str, Any]) -> Bundle | None:
    from runbook.evidence.kept_facts import fact_store, kept_facts, kept_runs_of
    from runbook.stores import open_store

    store = fact_store(open_store(where, settings))
    runs = kept_runs_of(store, environment)
    return kept_facts(store, environment, runs[-1]) if runs else None
