"""Evidence that names checks as they were called then, as tables in which they have their present names.

Compacted weeks stay as the evidence is: a check that is renamed once more makes no week anew.
"""

from collections.abc import Mapping

from msgspec import structs
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as all of Spark's own examples call it

from runbook.evidence.snapshot import Snapshot
from runbook.scorecard.segment_schema import DECLARED, DEFINITION

Names = Mapping[str, str]
"""Old name of a check → present one."""


def of_today(verdicts: DataFrame, names: Names) -> DataFrame:
    """Rows with a `check`, under its present name."""
    return verdicts.withColumn("check", _named(F.col("check"), names)) if names else verdicts


def runs_of_today(runs: DataFrame, names: Names) -> DataFrame:
    """Runs as `runs` of `runbook.scorecard.segment_schema.TABLES`: definitions, drilled checks and waivers."""
    if not names:
        return runs

    def drilled(runbook: Column) -> Column:
        return runbook.withField("drilled", F.transform(runbook["drilled"], lambda check: _named(check, names)))

    said = {name: _json(name, kind, names) for name, kind in (("definitions", DEFINITION), ("waivers", DECLARED))}
    return runs.withColumns(said | {"runbooks": F.transform("runbooks", drilled)})


def snapshot_of_today(snapshot: Snapshot, names: Names) -> Snapshot:
    """What was expected, under present names."""
    checks = [structs.replace(check, check=names.get(check.check, check.check)) for check in snapshot.checks]
    return structs.replace(snapshot, checks=checks)


def _json(column: str, kind: str, names: Names) -> Column:
    """A list of records with a `check`, kept as JSON."""
    records = F.from_json(column, f"array<{kind}>")
    return F.to_json(F.transform(records, lambda one: one.withField("check", _named(one["check"], names))))


def _named(check: Column, names: Names) -> Column:
    present = F.create_map(*(F.lit(name) for pair in sorted(names.items()) for name in pair))
    return F.coalesce(present[check], check)
