"""The walks on record, read beside a run: who is offered a procedure is told that somebody walks it already."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from runbook.cli.last_look import PATIENCE
from runbook.model.diagnosis import Diagnosis, WalkOnRecord


class WalksBeside:
    """The walks of the last days that are on record, read by a thread of its own: a folder may hang."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Begin to read.

        Args:
            folders: where the inventory has records, beside the user's own.
        """
        self._folders = [*folders]
        self._found: list[WalkOnRecord] = []
        self._reason = ""
        self._thread = threading.Thread(target=self._read, name="walks on record", daemon=True)
        self._thread.start()

    def tell(self, diagnoses: Sequence[Diagnosis]) -> None:
        """Say in each diagnosis which there are at its environment, or why that is not known."""
        if not diagnoses:
            return
        self._thread.join(PATIENCE)
        reason = f"not read in {PATIENCE:g} s" if self._thread.is_alive() else self._reason
        for diagnosis in diagnoses:
            if reason:
                diagnosis.notes.append(f"who walks what is not known, as records of walks were {reason}")
            else:
                diagnosis.walks = [walk for walk in self._found if diagnosis.environment in walk.environments]

    def _read(self) -> None:
        from runbook.procedure.standing import recent_walks
        from runbook.procedure.walk_file import walks_home

        try:
            self._found = recent_walks([walks_home(), *self._folders])
        except OSError as error:
            self._reason = f"not read: {error.strerror}"
