"""Records that are kept: attestations that were signed off, drills that were walked, facts of earlier looks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from runbook.answers.records import READS
from runbook.connections.records.reader import Records
from runbook.formats.attestations import Attestation
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.probe import Deadline

__all__ = ["ADDRESS", "READS", "Attestation", "Records", "connect", "settings_at"]

ADDRESS: Final = "attestations"
"""The setting that says where attestations are; `drills` says where records of drills are."""


_SETTINGS = ("attestations", "drills", "results", "measurements")


def connect(settings: Mapping[str, Any], clock: Deadline) -> Records:
    """Prepare to read; nothing is opened before the first question.

    Args:
        settings: `attestations`, a file; `drills`, a folder; `results`, the folder of results where facts are kept;
            `measurements`, a folder. Each may be missing. `~` is the home folder.
        clock: the time for everything that will be asked.

    Raises:
        Misconfigured: the settings can't be used.
    """
    for name in settings:
        if name not in _SETTINGS:
            raise Misconfigured(f'unknown setting "{name}" of records; {did_you_mean(str(name), list(_SETTINGS))}')
    attestations, drills, results, measurements = (_path(settings, name) for name in _SETTINGS)
    return Records(attestations, drills, clock, results, measurements)


def settings_at(address: str) -> dict[str, Any]:
    """Return the settings for records of which none is there: no file has an address of the network."""
    folder = f"/nonexistent/{address}"
    return {ADDRESS: f"{folder}/attestations.yaml", "drills": folder, "results": folder}


def _path(settings: Mapping[str, Any], name: str) -> Path | None:
    given = settings.get(name)
    if given is None:
        return None
    if not isinstance(given, str) or not given.startswith(("/", "~/")):
        raise Misconfigured(f"{name} of records must be an absolute path, or one that begins with ~/, not {given!r}")
    try:
        return Path(given).expanduser()
    except RuntimeError as error:
        raise Misconfigured(f"{name} of records: {given}: this login has no home folder") from error
