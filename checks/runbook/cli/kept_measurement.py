"""`runbook measure --keep`: where a measurement is kept."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runbook.evidence.measurements import SUFFIX, kept
from runbook.evidence.named_file import write_named
from runbook.model.errors import UsageError
from runbook.model.measurement import Measurement
from runbook.procedure.walk_file import walks_home


def keep_measurement(measurement: Measurement, records: Mapping[str, Any]) -> Path:
    """Write it to the folder that the inventory names, else to the user's; gives the file.

    Raises:
        UsageError: it can't be written.
    """
    folder = Path(records.get("measurements", walks_home().parent / "measurements")).expanduser()
    file = folder / f"{measurement.environment}-{measurement.id}{SUFFIX}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_named(file, kept(measurement))
    except OSError as error:
        raise UsageError(f"{file} can't be written: {(error.strerror or str(error)).lower()}") from None
    return file
