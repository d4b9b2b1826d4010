"""The walks on record, read beside a run: who is offered a procedure is told that somebody walks it already."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from runbook.incident.last_observation import PATIENCE
from runbook.model.diagnosis import Diagnosis, WalkOnRecord
from runbook.model.errors import CannotLook
from runbook.plugins.beside import Beside


class RecentWalks:
    """The walks of the last days that are on record, read by a thread of its own: a folder may hang."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Begin to read.

        Args:
            folders: where the inventory has records, beside the user's own.
        """
        self._reading = Beside(partial(_recent, [*folders]), "walks on record")

    def tell(self, diagnoses: Sequence[Diagnosis]) -> None:
        """Say in each diagnosis which there are at its environment, or why that is not known."""
        if not diagnoses:
            return
        found = self._reading.within(PATIENCE)
        for diagnosis in diagnoses:
            if isinstance(found, CannotLook):
                diagnosis.notes.append(f"who walks what is not known, as records of walks were not read: {found}")
            else:
                diagnosis.walks = [walk for walk in found if diagnosis.environment in walk.environments]


def _recent(folders: Sequence[Path]) -> list[WalkOnRecord]:
    from runbook.procedure.walk_file import walks_home
    from runbook.procedure.walk_status import recent_walks

    try:
        return recent_walks([walks_home(), *folders])
    except OSError as error:
        raise CannotLook(error.strerror or str(error)) from error
