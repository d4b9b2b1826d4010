"""Facts as scheduled runs keep them, read back by the connection that the inventory names."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from runbook.connections import records
from runbook.evidence.bundle import FORMAT, Bundle, Kept
from runbook.evidence.kept_facts import fact_store, keep_facts
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.errors import Garbled, Misconfigured
from runbook.model.fact import Fact, Gap, tabulate
from runbook.model.probe import Deadline
from runbook.parse.inventory import Environment
from runbook.probes import kept_log_dir
from runbook.stores import open_store


def keep(folder: Path, ago: dt.timedelta, usable: int, *, probe: str = "kafka_log_dir", incident: bool = False) -> str:
    """Keep a look of so long ago at `prod`, and give its moment."""
    at = moment.written(dt.datetime.now(dt.UTC) - ago)
    columns: dict[str, list[Any]] = {
        "broker": [1],
        "path": ["/a"],
        "error": [""],
        "total_bytes": [1000],
        "usable_bytes": [usable],
        "replica_bytes": [1],
        "replicas": [1],
    }
    gaps = [Gap("broker 2 did not answer", {"broker": 2})]
    run = f"{at[:19].replace('-', '').replace(':', '')}Z-{usable:012x}"
    kept = Kept(FactQuestion("prod", "kafka", probe), {"": Fact(probe, columns, gaps, collected_at=at)})
    bundle = Bundle(FORMAT, "1.0", run, at, {"prod": Environment()}, {"prod": ["kafka"]}, [], [kept], typed_gaps=True)
    keep_facts(fact_store(open_store(str(folder))), bundle, dt.timedelta(days=400), of_incident=incident)
    return at


def observe(folder: Path, environment: str = "prod", **given: int) -> Fact:
    connection = records.connect({"results": str(folder)}, Deadline(5))
    observed = kept_log_dir.observe(connection, environment, **given)
    return tabulate("kept_log_dir", kept_log_dir.PROBE.columns, observed)


def test_the_oldest_and_the_newest_look_of_the_span_are_given_with_what_they_lack(tmp_path: Path) -> None:
    keep(tmp_path, dt.timedelta(days=9), 900)
    oldest = keep(tmp_path, dt.timedelta(days=6), 600)
    keep(tmp_path, dt.timedelta(days=3), 500)
    newest = keep(tmp_path, dt.timedelta(hours=2), 400)
    keep(tmp_path, dt.timedelta(minutes=30), 300)
    fact = observe(tmp_path)
    assert [(row["look"], row["usable_bytes"]) for row in fact.rows()] == [(oldest, 600), (newest, 400)]
    assert {str(gap.reason) for gap in fact.gaps} == {"broker 2 did not answer"}
    assert observe(tmp_path, days=1, least=10).columns["usable_bytes"] == [400, 300]


def test_one_look_is_given_once(tmp_path: Path) -> None:
    keep(tmp_path, dt.timedelta(hours=2), 400)
    assert observe(tmp_path).columns["usable_bytes"] == [400]


def test_looks_at_incidents_and_at_other_environments_are_none(tmp_path: Path) -> None:
    keep(tmp_path, dt.timedelta(hours=2), 400, incident=True)
    for environment in ("prod", "stage"):
        fact = observe(tmp_path, environment)
        assert len(fact) == 0
        [gap] = fact.gaps
        wanted = "between 60 minutes and 7 days old: growth takes two looks"
        assert str(gap.reason) == f"no look at {environment} is kept that is {wanted}"


def test_a_look_that_asked_for_something_else_is_a_gap(tmp_path: Path) -> None:
    at = keep(tmp_path, dt.timedelta(hours=2), 400, probe="kafka_broker")
    [gap] = observe(tmp_path).gaps
    assert str(gap.reason) == f"the look of {at[:19]}.000Z did not ask for log directories"


def test_facts_that_are_not_as_they_were_written_tell_nothing(tmp_path: Path) -> None:
    keep(tmp_path, dt.timedelta(hours=2), 400)
    [file] = tmp_path.rglob("*.json.gz")
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(Garbled, match="not as it was written"):
        observe(tmp_path)
    file.write_bytes(b"plain")
    with pytest.raises(Garbled, match="not as it was written"):
        observe(tmp_path)


def test_facts_of_another_environment_in_its_place_tell_nothing(tmp_path: Path) -> None:
    keep(tmp_path, dt.timedelta(hours=2), 400)
    (tmp_path / "facts" / "prod").rename(tmp_path / "facts" / "stage")
    with pytest.raises(Garbled, match="of another environment"):
        observe(tmp_path, "stage")


def test_without_the_folder_the_setting_is_asked_for() -> None:
    with pytest.raises(Misconfigured, match="no `results:`"):
        kept_log_dir.observe(records.connect({}, Deadline(5)), "prod")
