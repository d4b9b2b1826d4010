"""Facts of two clusters, told in few words: what a row leaves out is not known."""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from runbook.model.fact import Fact, Gap, tabulate
from runbook.plugins.catalog import catalog

WHEN = "2026-11-22T12:01:00.000Z"

HIDDEN = (Gap("not all may be seen"),)


def fact_of(probe: str, rows: Iterable[Mapping[str, Any]], gaps: Iterable[Gap] = ()) -> Fact:
    """A fact of a probe."""
    rows = list(rows)
    names = [column.name for column in catalog("probes").load(probe).PROBE.columns]
    assert {name for row in rows for name in row} <= {*names}
    return Fact(probe, {name: [row.get(name) for row in rows] for name in names}, [*gaps], collected_at=WHEN)


def seen(view: ModuleType, **given: Any) -> list[dict[str, Any]]:
    """The rows of a view, given its inputs and parameters by their names."""
    return list(tabulate("view", view.VIEW.columns, view.compute(**given)).rows())
