"""What facts would be without a cause, in words."""

from collections.abc import Iterator

from runbook.judge.template import show
from runbook.model.block import Cause
from runbook.model.recovery import Recovery
from runbook.model.undone import RowsUndone, Undone
from runbook.plugins.catalog import catalog


def without_cause(cause: Cause) -> list[str]:
    """A sentence in Markdown for each recovery, and for each thing that becomes of rows."""
    return [sentence for undone in cause.recoveries for sentence in _sentences(undone)]


def _sentences(undone: Undone) -> Iterator[str]:
    at = f" at the {undone.at}" if undone.at else ""
    if undone.recovery:
        recovery: Recovery = catalog("recoveries").load(undone.recovery).RECOVERY
        yield f"{_code(undone.recovery)}{at}: {recovery.help} ({'; '.join(recovery.sources)})"
    for rows in undone.rows:
        chosen = f" where {_code(' '.join(rows.where.split()))}" if rows.where else ""
        yield f"rows of {_code(rows.probe)}{at}{chosen}: {_become(rows)}"
    if undone.unknown:
        yield f"all that these tell{at} is not known then: {', '.join(map(_code, undone.unknown))}"


def _become(rows: RowsUndone) -> str:
    if rows.drop:
        return "they are gone"
    cells = [f"{_code(name)} is {_value(value)}" for name, value in rows.set.items()]
    unknown = ["everything else"] if rows.unknown == "all" else [*map(_code, rows.unknown)]
    return "; ".join([*cells, *([f"not known: {', '.join(unknown)}"] if unknown else [])])


def _value(value: object) -> str:
    if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        return _code(value[1:-1])
    return _code(show(value)) if value not in ("", []) else "empty"


def _code(text: str) -> str:
    return f"`{text}`"
