"""The views of capacity.md over facts of a lab that holds data: without a cell they say nothing, not something else."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, load_bundle
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from runbook.run.collection.fact_assembly import compute_view

GIVEN: dict[str, dict[str, Any]] = {
    "disk_forecast": {},
    "disk_growth": {},
    "planned_traffic": {"planned": ["events record_bytes=2000 records_per_day=48000"]},
    "re_replication": {},
}


@cache
def recorded() -> Bundle:
    """Three brokers, with topics of two and of three replicas."""
    return load_bundle(Path(__file__).parents[1] / "cases" / "capacity" / "healthy.json")


@cache
def facts() -> dict[str, Fact]:
    """What was seen of it, by the probe or view; the kept look is of a day before, with a tenth more room."""
    found = {kept.ask.probe: kept.facts[""] for kept in recorded().kept if kept.ask.given == "{}"}
    found["topic_config"] = compute_view(
        "topic_config", {"topic": found["kafka_topic"], "setting": found["kafka_broker_setting"]}, {}
    )
    log_dir = found["kafka_log_dir"]
    found["kept_log_dir"] = Fact(
        "kept_log_dir",
        {name: log_dir.columns[name] for name in ("broker", "path", "error", "total_bytes")}
        | {"look": ["2026-11-28T17:47:43.102Z"] * len(log_dir)}
        | {"usable_bytes": [room * 11 // 10 for room in log_dir.columns["usable_bytes"]]},
    )
    return found


def inputs(view: str) -> dict[str, Fact]:
    """The facts that a view takes."""
    return {word: facts()[declared.kind] for word, declared in catalog("views").load(view).VIEW.inputs.items()}


def unknown_columns() -> Iterator[tuple[str, str, str]]:
    """Each column that a view reads and that names no row."""
    for view in GIVEN:
        for word, declared in catalog("views").load(view).VIEW.inputs.items():
            kind = "probes" if declared.kind in catalog("probes") else "views"
            loaded = catalog(kind).load(declared.kind)
            columns = loaded.PROBE.columns if kind == "probes" else loaded.VIEW.columns
            keys = {column.name for column in columns if column.key}
            yield from ((view, word, name) for name in declared.columns if name not in keys)


@pytest.mark.parametrize("view", GIVEN)
def test_a_view_says_something_of_a_lab_with_data(view: str) -> None:
    found = compute_view(view, inputs(view), GIVEN[view])
    assert len(found) > 0
    assert found.gaps == []


@pytest.mark.parametrize(("view", "word", "column"), [*unknown_columns()])
def test_what_is_not_known_does_not_become_known(view: str, word: str, column: str) -> None:
    given = inputs(view)
    whole = compute_view(view, given, GIVEN[view])
    fact = given[word]
    given[word] = replace(fact, columns=fact.columns | {column: [None] * len(fact)})
    found = compute_view(view, given, GIVEN[view])
    keys = [one.name for one in catalog("views").load(view).VIEW.columns if one.key]
    before = {tuple(row[key] for key in keys): row for row in whole.rows()}
    rows = {tuple(row[key] for key in keys): row for row in found.rows()}
    assert rows.keys() <= before.keys()
    assert len(rows) == len(before) or found.gaps
    said = ("first", "left_out", "fastest", "lasts")
    wrong = {
        (key, name): cell
        for key, row in rows.items()
        for name, cell in row.items()
        if name not in said and cell is not None and cell != before[key][name]
    }
    assert wrong == {}
