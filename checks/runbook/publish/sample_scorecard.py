"""A small generated scorecard, for the notebook where the site has no data yet. It is of no cluster, and says so."""

import random
from pathlib import Path
from typing import Any, Final

_WEEKS: Final = [f"2026-W{week:02}" for week in range(24, 48)]
_ENVIRONMENTS: Final = ("dev", "edge", "prod-eu", "prod-us", "stage")
_CHECKS: Final = (
    ("ha/partitions-take-writes", "critical"),
    ("ha/topics-have-three-copies", "high"),
    ("ha/any-one-rack-may-fail", "high"),
    ("ha/brokers-agree", "medium"),
    ("ha/work-is-spread-evenly", "low"),
)


def write_sample(folder: Path, seed: int = 1) -> None:
    """Write `scores.parquet` and `failing.parquet` with the columns that questions are asked of.

    Args:
        folder: where the files go; it exists.
        seed: the same seed gives the same tables.
    """
    import pyarrow as pa  # noqa: PLC0415 - loaded only where there is no real scorecard
    import pyarrow.parquet as pq  # noqa: PLC0415 - same

    chance = random.Random(seed)  # noqa: S311 - invented figures need no secrecy
    tables = {"scores": _scores(chance), "failing": _failing(chance)}
    for name, rows in tables.items():
        table = pa.Table.from_pylist(rows).replace_schema_metadata({"generated": "true"})
        pq.write_table(table, folder / f"{name}.parquet")


def _scores(chance: random.Random) -> list[dict[str, Any]]:
    rows = []
    for environment in _ENVIRONMENTS:
        raw = chance.uniform(45, 80)
        for week in _WEEKS:
            raw = min(98.0, max(30.0, raw + chance.uniform(-3.5, 4.5)))
            silent = chance.random() < 1 / 15
            row: dict[str, Any] = {"week": week, "environment": environment, "runbook": "*", "severity": "*"}
            score = None if silent else round(min(100.0, raw + chance.choice((0, 0, 4.1))), 1)
            status = "silent" if silent else "scored"
            rows.append(row | {"status": status, "score": score, "score_raw": None if silent else round(raw, 1)})
    return rows


def _failing(chance: random.Random) -> list[dict[str, Any]]:
    return [
        {
            "environment": environment,
            "check": check,
            "severity": severity,
            "waived": chance.random() < 1 / 5,
            "failing_days": chance.randrange(1, 160),
        }
        for environment in _ENVIRONMENTS
        for check, severity in _CHECKS
        if chance.random() < 1 / 2
    ]
