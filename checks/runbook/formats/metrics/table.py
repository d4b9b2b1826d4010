"""From what JVMs told to what a probe gives: one row for each JVM and set of labels."""

import datetime as dt
import math
from collections.abc import Iterator
from typing import Any

from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.metric import Group, Labels, Sheet, Sheets, Value
from runbook.model.column import ColumnType
from runbook.model.errors import Garbled
from runbook.model.fact import Gap, Observed
from runbook.model.gap_kind import GapKind
from runbook.model.row import Row

_INT64 = range(-(2**63), 2**63)


def tell(sheets: Sheets, group: Group) -> Observed:
    """The rows of a group.

    A JVM that has none of the metrics has no row; one of which none could be read is a gap. A single one that could not
    be read is a cell that is not known.
    """
    readable, gaps = sheets
    rows: list[Row] = []
    lost = list(gaps)
    for sheet in readable:
        found = list(_rows(sheet, group))
        rows += found
        if not found and (reason := _reason(sheet, group)):
            keys: dict[str, str | int] = {"broker": sheet.jvm} if isinstance(sheet.jvm, int) else {}
            lost.append(Gap(f"{name_of(sheet.jvm)}: {reason}", keys))
    here = lost or any(sheet.values.get(metric) for sheet in readable for metric in group.metrics.values())
    return Observed(rows=rows, gaps=lost, inapplicable="" if here else group.nowhere)


def name_of(jvm: int | str) -> str:
    """How sentences name a JVM."""
    return f"broker {jvm}" if isinstance(jvm, int) else f"application {jvm}"


def not_named(setting: str, kind: str) -> Sheets:
    """What is told where the inventory does not say which JVMs there are."""
    remedy = f"name them under `{setting}` of {kind}, or write {{}} there if none can be asked"
    return [], [Gap(f"the inventory does not say where the JVMs are: {remedy}", kind=GapKind.NOT_DECLARED)]


def require_identity(sheet: Sheet) -> None:
    """Refuse the metrics of another broker than the one that was asked.

    Raises:
        Garbled: the inventory has the wrong address for it.
    """
    ids = {labels[0] for labels in sheet.values.get(IDENTITY, {})}
    if isinstance(sheet.jvm, int) and ids and str(sheet.jvm) not in ids:
        raise Garbled(f"answers for node {', '.join(sorted(ids))}: correct the address in the inventory")


def _rows(sheet: Sheet, group: Group) -> Iterator[Row]:
    if group.of in sheet.absent:
        return
    series = {name: sheet.values.get(metric, {}) for name, metric in group.metrics.items()}
    if any(series.values()):
        series = {name: _nothing(sheet, group, name) or values for name, values in series.items()}
    for labels in sorted({labels for values in series.values() for labels in values}):
        if len(labels) != len(group.keys):
            raise Garbled(f"{name_of(sheet.jvm)} gave a value and does not say of which {' and '.join(group.keys)}")
        cells: dict[str, Any] = {name: values.get(labels) for name, values in series.items()}
        if cells.get(group.seen) == 0:
            continue  # it says nothing
        cells = {name: _cell(group.columns[name].type, value) for name, value in cells.items()}
        cells |= {group.jvm: sheet.jvm} | dict(zip(group.keys, labels, strict=True))
        yield group.row(**cells)


def _nothing(sheet: Sheet, group: Group, name: str) -> dict[Labels, Value]:
    """The empty text for one that is proved not to be there: a known absence is a value."""
    metric = group.metrics[name]
    text = group.columns[name].type == "string" and "*" not in metric.bean
    return {(): ""} if text and metric in sheet.absent else {}


def _reason(sheet: Sheet, group: Group) -> str:
    """Why a JVM has no row, unless it rightly has none."""
    if any(sheet.values.get(metric) for metric in group.metrics.values()):
        return ""  # what it told says nothing: all are 0
    if any(sheet.values.get(metric) for metric in group.proof) or group.of in sheet.absent:
        return ""
    return next((sheet.unknown[metric] for metric in group.metrics.values() if metric in sheet.unknown), "")


def _cell(kind: ColumnType, value: Value | None) -> Any:
    """A value as its column wants it; NaN and infinity are what meters say before they have measured anything.

    What 64 bits can't hold, and a moment that no calendar has, is no measurement either: it is not known.
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if kind == "string":
        return str(value)
    if isinstance(value, str):
        return None
    if kind == "timestamp":
        return _moment(value)
    if isinstance(value, int) and value not in _INT64:
        return None
    whole = round(value)
    return float(value) if kind == "float" else whole if whole in _INT64 else None


def _moment(milliseconds: float) -> str | None:
    """Milliseconds since 1970 as RFC 3339 UTC; None for a moment that no calendar has."""
    try:
        return dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC).isoformat()
    except (ValueError, OverflowError, OSError):  # beyond the year 9999, or beyond what the C library counts
        return None
