"""The fields of a record as a table of a page."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from runbook.parse.record_fields import RecordField, record_fields, summary
from runbook.publish.page import fragment


def fields(record: Any) -> Markup:
    """The table of a record's fields."""
    return table(summary(record), record_fields(record))


def table(title: str, rows: Sequence[RecordField]) -> Markup:
    """A table of fields under a sentence."""
    return fragment("fields.html", summary=title, rows=rows)
