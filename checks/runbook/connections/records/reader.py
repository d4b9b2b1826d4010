"""Read the records that the inventory names: regular files only, of a bounded size."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from runbook.connections._local_files import content, from_os, names_in, regular, text_of
from runbook.connections.records.kept_looks import look_in, scheduled_looks
from runbook.evidence.bundle import Bundle
from runbook.evidence.measurements import SUFFIX as MEASUREMENT
from runbook.evidence.measurements import read_kept
from runbook.formats.attestations import Attestation, parse_attestations
from runbook.model.errors import CannotLook, Garbled, SettingMissing, UsageError
from runbook.model.fact import Gap
from runbook.model.measurement import Measurement
from runbook.model.probe import Deadline
from runbook.plugins.guard import attempt
from runbook.procedure.walk_file import LARGEST as LARGEST_WALK
from runbook.procedure.walk_file import SUFFIX, record_in
from runbook.procedure.walk_record import Record
from runbook.recording.question import question
from runbook.run.sources.runbooks import old_names_in_force

_SETTING = "records"  # what the inventory calls this connection
LARGEST = 1 << 20
"""Bytes of a file of attestations; our judgement, a thousand of them have a third of it."""

MOST = 10_000
"""Files of a folder that are opened; our judgement, a drill a day for 27 years."""


class Records:
    """Where records are."""

    def __init__(
        self,
        attestations: Path | None,
        drills: Path | None,
        clock: Deadline,
        results: Path | None = None,
        measurements: Path | None = None,
    ) -> None:
        """Prepare; nothing is opened before the first question."""
        self._results = results
        self._measurements = measurements
        self._attestations = attestations
        self._drills = drills
        self.clock = clock

    def close(self) -> None:
        """Nothing is kept open."""

    @property
    def place(self) -> str:
        """Where attestations are, for messages."""
        return str(self._attestations or "")

    def attestations(self) -> list[Attestation]:
        """Read the sign-offs.

        Raises:
            CannotLook: there is no such file, or it has mistakes.
        """
        if self._attestations is None:
            raise SettingMissing("records has no `attestations:`, which names the file of attestations")
        path = self._attestations
        if regular(path, _SETTING, self.clock).size > LARGEST:
            raise Garbled(f"{path} is larger than {LARGEST:,} bytes: no file of attestations is")
        return parse_attestations(text_of(path, _SETTING, self.clock), str(path))

    def drills(self) -> tuple[list[Record], list[Gap]]:
        """Read the records of walks in the folder and in those below it; a gap for each that is not as it was written.

        Raises:
            CannotLook: the folder can't be read.
        """
        if self._drills is None:
            raise SettingMissing("records has no `drills:`, which names the folder of records of drills")
        found, gaps = [], []
        for path in map(Path, _below(self._drills, self.clock)):
            record = attempt(lambda path=path: _record(path, self.clock))  # type: ignore[misc]
            if isinstance(record, CannotLook):
                gaps.append(Gap.of(record))
            else:
                found.append(record)
        names = old_names_in_force() if found else {}
        return [_of_today(record, names) for record in found], gaps

    def measurements(self) -> tuple[list[Measurement], list[Gap]]:
        """Read the measurements in the folder; a gap for each that is not as it was written.

        Raises:
            CannotLook: the folder can't be read.
        """
        if self._measurements is None:
            raise SettingMissing("records has no `measurements:`, which names the folder of runbook measure --keep")
        found, gaps = [], []
        for name in names_in(self._measurements, _SETTING, self.clock):
            if name.endswith(MEASUREMENT):
                one = attempt(lambda path=self._measurements / name: _measurement(path, self.clock))  # type: ignore[misc]
                if isinstance(one, CannotLook):
                    gaps.append(Gap.of(one))
                else:
                    found.append(one)
        return found, gaps

    def scheduled_looks(self, environment: str) -> dict[float, str]:
        """When each scheduled look at an environment began whose facts are kept, and its file, the oldest first.

        Raises:
            CannotLook: the inventory names no folder, or it can't be listed.
        """
        if self._results is None:
            raise SettingMissing(
                "records has no `results:`, which names the folder of results with the facts kept in it"
            )
        return scheduled_looks(self._results, environment, self.clock)

    def look_in(self, file: str, environment: str) -> Bundle:
        """The facts that such a file holds.

        Raises:
            CannotLook: it can't be read, or is not as it was written.
        """
        return look_in(file, environment, self.clock)


@question("drills")
def _below(folder: Path, clock: Deadline) -> list[str]:  # noqa: ARG001 - the clock has the tape
    """The files of records in a folder and in those below it."""
    try:
        list(folder.iterdir())  # rglob passes over what may not be listed
        files = sorted(folder.rglob(f"*{SUFFIX}"))
    except OSError as error:
        raise from_os(error, folder, _SETTING) from None
    if len(files) > MOST:
        raise Garbled(f"{folder} holds {len(files)} records, more than {MOST} are not read: name another folder")
    return [str(path) for path in files]


def _record(path: Path, clock: Deadline) -> Record:
    if regular(path, _SETTING, clock).size > LARGEST_WALK:
        raise Garbled(f"{path} is larger than {LARGEST_WALK:,} bytes: no record of a walk is")
    try:
        record = record_in(content(path, _SETTING, clock), path)
    except UsageError as error:
        raise Garbled(str(error)) from None
    if record.fault is not None:
        raise Garbled(f"{path} is not as it was written: {record.fault}")
    return record


def _of_today(record: Record, names: Mapping[str, str]) -> Record:
    """A record of a procedure under its present name."""
    begun = record.begun
    now = names.get(begun.procedure, begun.procedure)
    return structs.replace(record, entries=[structs.replace(begun, procedure=now), *record.entries[1:]])


def _measurement(path: Path, clock: Deadline) -> Measurement:
    if regular(path, _SETTING, clock).size > LARGEST_WALK:
        raise Garbled(f"{path} is larger than {LARGEST_WALK:,} bytes: no measurement is")
    try:
        return read_kept(content(path, _SETTING, clock))
    except ValueError as error:  # of msgspec too
        raise Garbled(f"{path} is not as it was written: {error}") from None
