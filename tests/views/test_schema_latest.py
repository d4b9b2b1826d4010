from typing import Any

from runbook.model.fact import tabulate
from runbook.views.schema_latest import VIEW, compute
from support.schema_facts import avro, versions


def latest(*history: Any) -> dict[str, Any]:
    [row] = tabulate("schema_latest", VIEW.columns, compute(version=versions({"a": [*history]}))).rows()
    return row


def test_the_newest_version_is_read():
    field = {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}, "doc": "When.", "default": 0}
    row = latest("{", avro(("id", "long"), field, doc="An order."))
    assert (row["version"], row["error"], row["record"], row["documented"]) == (2, "", "shop.Order", True)
    assert set(row["fields"]) == {"id", "at"}
    assert row["logical_types"] == {"at": "timestamp-millis"}
    assert (row["undocumented"], row["required"]) == (["id"], ["id"])


def test_a_field_that_may_be_null_and_is_not_by_default_is_named():
    row = latest(avro(("x", ["string", "null"], "a"), ("y", ["null", "string"], None)))
    assert row["nulls_without_default"] == ["x"]


def test_a_text_that_is_no_schema_is_told_and_nothing_else_is_known():
    row = latest("{")
    assert row["error"]
    assert row["fields"] is None
    assert row["documented"] is None
