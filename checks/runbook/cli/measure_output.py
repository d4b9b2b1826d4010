"""What `runbook measure` leaves behind: a file, a picture, and a table of what Kafka's own perf tests printed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from runbook.evidence.measurements import SUFFIX, kept
from runbook.evidence.named_file import write_named
from runbook.formats.perf_test_output import PerfTest, perf_tests
from runbook.incident.measurement_ranking import end_to_end_p99, measured_settings
from runbook.model.errors import UsageError
from runbook.model.measurement import Measurement
from runbook.procedure.walk_file import walks_home
from runbook.show.measurement_text import number, table

_LARGEST = 2**26  # bytes of an output that are read: hours of interim lines
_FIGURES = ("rate", "megabytes", "mean", "p50", "p95", "p99", "p999", "max")


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


def print_perf_tests(files: Sequence[Path], format_: str) -> int:
    """Print the summaries that files hold.

    Raises:
        UsageError: a file can't be read, or holds none.
    """
    found = {str(file): _read(file) for file in files}
    if format_ == "json":
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 0
    heads = ["", "", "records", "records/s", "MB/s", "mean", "p50", "p95", "p99", "p99.9", "max"]
    print("\n".join(table([heads, *(_cells(file, test) for file, tests in found.items() for test in tests)])))
    print(
        "Latencies in ms; - is what the tool does not tell. Producer: from send() to acknowledged. MB of 10**6 bytes."
    )
    for file, tests in found.items():
        for name, count in sorted(tests[0].errors.items()):
            print(f"errors in {file}: {name} on {count:,} lines; what failed is in no latency")
    return 0


def _read(file: Path) -> list[PerfTest]:
    try:
        with file.open("rb") as opened:
            text = opened.read(_LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"--read {file}: it can't be read ({(error.strerror or str(error)).lower()})") from None
    if not (found := perf_tests(text)):
        raise UsageError(
            f"--read {file}: no summary of kafka-producer-perf-test, kafka-consumer-perf-test or EndToEndLatency is in "
            "it; a consumer with --show-detailed-stats prints none"
        )
    return found


def _cells(file: str, test: PerfTest) -> list[str]:
    figures = [getattr(test, name) for name in _FIGURES]
    records = "-" if test.records is None else f"{test.records:,}"
    return [file, test.tool, records, *("-" if figure is None else number(figure) for figure in figures)]
