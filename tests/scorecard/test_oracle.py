"""The job and the oracle, which shares nothing with it, make the same tables of the same stores.

RUNBOOK_ORACLE_STORES says of how many generated stores; the same number gives the same stores.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from runbook.model.errors import UsageError
from runbook.scorecard.job import roll_up
from scorecard.oracle import Oracle
from scorecard.stores import FEATURES, Files, make

STORES = int(os.environ.get("RUNBOOK_ORACLE_STORES", "2"))

Row = dict[str, Any]


@pytest.mark.timeout(1800 + 120 * STORES)  # 2 minutes on a quiet machine, 8 beside other tests on two cores
@settings(max_examples=STORES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(number=st.integers(0, 2**32 - 1), features=st.frozensets(st.sampled_from(FEATURES), min_size=4))
@example(number=1, features=frozenset(FEATURES))
@example(number=2, features=frozenset(FEATURES) - {"changed", "miswritten", "moment"})
@example(number=12294432, features=frozenset(FEATURES) - {"incident", "links"})  # nothing in it can be scored
def test_the_job_and_the_oracle_make_the_same_tables(number: int, features: frozenset[str]) -> None:
    store = make(number, features)
    with TemporaryDirectory() as scratch:
        folder = Path(scratch, "store")
        for files in filter(None, (store.early, store.late)):
            _write(folder, files)
            _compare(folder, store.as_of, store.weeks)


def _write(folder: Path, files: Files) -> None:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def _compare(store: Path, as_of: str | None, weeks: int) -> None:
    oracle = Oracle(store, as_of, weeks)
    out = store.with_name("out")
    if not oracle.tables:
        with pytest.raises(UsageError, match="nothing to score"):
            roll_up(str(store), out, as_of=as_of, weeks=weeks)
        return
    roll_up(str(store), out, as_of=as_of, weeks=weeks)
    card = json.loads((out / "scorecard.json").read_text())
    assert card["as_of"] == oracle.as_of
    assert card["counts"] == oracle.counts
    aside = [json.loads(line) for line in (out / "quarantine.jsonl").read_text().splitlines()]
    assert sorted((row["file"], row["line"]) for row in aside) == sorted(oracle.aside)
    assert set(card["tables"]) == set(oracle.tables)
    for table, rows in oracle.tables.items():
        found = pq.read_table(out / f"{table}.parquet").to_pylist(maps_as_pydicts="strict")
        assert _in_order(found) == _in_order(rows), table


def _in_order(rows: list[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
