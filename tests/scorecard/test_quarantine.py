"""What is set aside is counted, written and shown, and never scored."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from runbook.model.errors import UsageError
from runbook.scorecard.job import roll_up

AT = "2027-01-06T06:00:00Z"


def test_what_is_damaged_is_set_aside_and_counts_as_missing(
    tmp_path: Path, store_of: Callable[[Path], Any], java_home: Path | None
) -> None:
    store = store_of(tmp_path / "store")
    forged = store.keep("forged", AT, {"ha/a": "fail", "ha/b": "pass"})
    forged.write_bytes(forged.read_bytes().replace(b'"outcome":"fail"', b'"outcome":"pass"'))
    store.keep("forged", "2027-01-05T06:00:00Z", {"ha/a": "pass", "ha/b": "pass"})
    headless = store.keep("headless", AT, {"ha/a": "pass"})
    headless.write_bytes(b"{}\n" + b"".join(headless.read_bytes().splitlines(keepends=True)[1:]))

    summary = roll_up(str(store.folder), tmp_path / "out", java_home=java_home)

    card = json.loads((tmp_path / "out" / "scorecard.json").read_text())
    rows = pq.read_table(tmp_path / "out" / "states.parquet").to_pylist()
    states = {row["check"]: row["outcome"] for row in rows if row["environment"] == "forged"}
    assert states == {"ha/a": "missing", "ha/b": "pass"}  # Tuesday's pass does not stand in for it
    assert card["environments"] == ["forged"]
    aside = [json.loads(line) for line in (tmp_path / "out" / "quarantine.jsonl").read_text().splitlines()]
    assert [(row["file"].split("/")[1], row["line"]) for row in aside] == [
        ("forged", 2),
        ("headless", 1),
        ("headless", 2),
    ]
    assert card["quarantine"] == aside
    assert summary.counts["quarantined"] == len(aside)


def test_a_store_of_nothing_but_rubbish_is_a_usage_error_and_names_the_quarantine(
    tmp_path: Path, java_home: Path | None
) -> None:
    folder = tmp_path / "store" / "runs" / "prod" / "2027-01-06"
    folder.mkdir(parents=True)
    (folder / "x.jsonl").write_bytes(b"rubbish\n\xff\xfe\n")
    with pytest.raises(UsageError, match=r"nothing in .* can be read as results.*quarantine\.jsonl"):
        roll_up(str(tmp_path / "store"), tmp_path / "out", java_home=java_home)
    assert len((tmp_path / "out" / "quarantine.jsonl").read_text().splitlines()) == 3
    assert not (tmp_path / "out" / "scorecard.json").exists()
