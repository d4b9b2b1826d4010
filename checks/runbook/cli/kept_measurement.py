"""`runbook measure --keep` and `--plot`: where a measurement is kept, and its picture."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runbook.evidence.measurements import SUFFIX, kept
from runbook.evidence.named_file import write_named
from runbook.incident.measurement_ranking import end_to_end_p99, measured_settings
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
    _write(file, kept(measurement))
    return file


def plot_measurement(measurement: Measurement, file: Path) -> None:
    """Draw its latencies into a file; nothing where none is known.

    Raises:
        UsageError: it can't be written.
    """
    from runbook.publish.measurement_chart import draw_latencies
    from runbook.publish.trend_chart import PALETTES

    if found := [row for row in measured_settings(measurement.repetitions) if row.spread(end_to_end_p99)]:
        about = f"End-to-end latency measured in {measurement.environment}, {measurement.at[:16].replace('T', ' ')} UTC"
        _write(file, draw_latencies(found, PALETTES["light"], about).encode())


def _write(file: Path, content: bytes) -> None:
    try:
        write_named(file, content)
    except OSError as error:
        raise UsageError(f"{file} can't be written: {(error.strerror or str(error)).lower()}") from None
