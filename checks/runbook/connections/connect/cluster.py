"""The workers of one Connect cluster. Each is asked for itself; for the cluster, the first that answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from runbook.answers.connect import CONNECTORS, NAMES, PLUGINS, WORKER, Connector, Plugin, WorkerAnswer
from runbook.connections._http import Web, each
from runbook.connections._memory import Memory
from runbook.connections.connect import reading
from runbook.connections.connect.settings import WorkerAddress
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.sentence import shown

T = TypeVar("T")
_RELEASE = re.compile(r"(\d+)\.(\d+)\S*?(-c(?:cs|e))?$")
_NO_STATUS = (
    ", as for a moment after it was made; if that lasts, a worker with other internal topics may be in the group of "
    "these workers: see the diagnostic a-task-has-failed"
)
_CONFLUENT_AHEAD = 4  # Confluent Platform 7.9.0-ccs is Kafka 3.9, 8.0 is 4.0 (its versions and interoperability)


class Connect:
    """Reading methods over one Connect cluster; every request is made once, whatever number of probes ask."""

    def __init__(self, web: Web, places: Sequence[WorkerAddress]) -> None:
        """Ask these workers."""
        self._web = web
        self._places = {place.name: place for place in places}
        self._memory = Memory()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def places(self) -> Sequence[WorkerAddress]:
        """The workers that the inventory names, in its order."""
        return [*self._places.values()]

    def workers(self) -> tuple[Mapping[str, WorkerAnswer], list[Gap]]:
        """What each worker says of itself, by its name, and a gap for each that does not answer."""
        return self._memory.once("workers", lambda: self._ask_each(WORKER, reading.worker))

    def release(self) -> tuple[int, ...] | None:
        """The release of Kafka that the workers have, the oldest where they differ; None where none tells."""
        workers, _ = self.workers()
        found = [one for worker in workers.values() if (one := _RELEASE.match(worker.version))]
        return min(
            ((int(match[1]) - (_CONFLUENT_AHEAD if match[3] else 0), int(match[2])) for match in found), default=None
        )

    def plugins(self) -> tuple[Mapping[str, list[Plugin]], list[Gap]]:
        """The plugins of each worker, by its name, and a gap for each that does not tell."""
        return self._memory.once("plugins", lambda: self._ask_each(PLUGINS, reading.plugins))

    def connectors(self) -> tuple[Mapping[str, Connector], list[Gap]]:
        """The connectors by name, and a gap for each that is listed and of which nothing is told.

        Raises:
            CannotLook: no worker tells; what each said instead.
        """
        return self._memory.once("connectors", self._connectors)

    def _connectors(self) -> tuple[Mapping[str, Connector], list[Gap]]:
        awake, gaps = self.workers()  # who says nothing of itself is not asked for more
        refusals = list(gaps)
        for name in awake:
            place = self._places[name]
            try:
                return self._connectors_of(place)
            except CannotLook as error:
                refusals.append(Gap.of(error, says=f"{_label(place)} {error}"))
        nobody = CannotLook(shown(*(gap.reason for gap in refusals)))
        nobody.kind = refusals[0].kind if refusals else nobody.kind
        raise nobody

    def _connectors_of(self, place: WorkerAddress) -> tuple[Mapping[str, Connector], list[Gap]]:
        """What one worker knows: a connector without a status, as a new one, is left out of the long answer."""
        listed = reading.names(self._web.get(place.url + NAMES))
        described = reading.connectors(self._web.get(place.url + CONNECTORS))
        missing = [name for name in listed if name not in described]
        gaps = [
            Gap(f"{_label(place)} lists {name} and reports no status of it{_NO_STATUS}", {"connector": name})
            for name in missing
        ]
        return described, gaps

    def _ask_each(self, path: str, read: Callable[[bytes], T]) -> tuple[Mapping[str, T], list[Gap]]:
        def ask(_: str, url: str) -> T:
            return read(self._web.get(url + path))

        urls = {name: place.url for name, place in self._places.items()}
        answers: dict[str, T] = {}
        gaps = []
        for name, answer in each(urls, ask, self._web.clock).items():
            if isinstance(answer, CannotLook):
                gaps.append(Gap.of(answer, {"server": name}, f"{_label(self._places[name])} {answer}"))
            else:
                answers[name] = answer
        return answers, gaps


def _label(place: WorkerAddress) -> str:
    return f"Connect worker {place.name} ({place.url})"
