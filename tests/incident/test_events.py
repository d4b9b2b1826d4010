"""Runs on record name checks and causes as they are called now."""

from collections.abc import Callable, Iterator

import pytest
from msgspec import structs

from runbook.evidence.store import StoredFile, run_files
from runbook.incident import events
from runbook.incident.events import recorded_runs
from runbook.incident.record import Span
from support.platforms import run_on


class Kept:
    """A store that holds one run."""

    name, at_once = "kept", 1

    def __init__(self) -> None:
        self.run = structs.replace(run_on("strimzi"), rejudged=False)
        self.files = [StoredFile(path, content) for path, content in run_files(self.run)]

    def write(self, path: str, content: bytes) -> None:
        """Nothing is written."""
        raise NotImplementedError

    def sizes(self) -> dict[str, int]:
        """Its files."""
        return {file.path: len(file.content) for file in self.files}

    def read(self, wanted: Callable[[str, int], bool]) -> Iterator[StoredFile]:
        """The files that are wanted."""
        yield from (file for file in self.files if wanted(file.path, len(file.content)))


def test_a_run_under_an_old_name_is_of_the_check_as_it_is_called_now(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Kept()
    environment = store.run.results[0].environment
    old = store.run.results[0].check
    monkeypatch.setattr(events, "old_names_in_force", lambda: {old: "new/name"})
    [found] = recorded_runs(store, Span(environment, "2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"))
    assert found.flaws == []
    assert next(line.check for line in found.results) == "new/name"
    assert old not in [line.check for line in (*found.results, *found.run.expected)]
