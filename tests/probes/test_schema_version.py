import pytest

from runbook.connections.schema_registry import connect
from runbook.model.probe import Deadline
from runbook.probes.schema_version import SchemaVersion, observe
from support.registry_servers import Content, Style, registry_server

REFERENCE = {"name": "common.proto", "subject": "common", "version": 3}
PROTO = {"schema": "abc", "schemaType": "PROTOBUF", "id": 7, "references": [REFERENCE]}


def test_a_version_is_a_row_and_avro_where_no_type_is_told():
    with registry_server(Content({"orders-value": ["x", PROTO]})) as (address, _):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert observed.rows == [
        SchemaVersion(
            subject="orders-value", version=1, id=1, type="AVRO", schema="x", size=1, references={}, deleted=False
        ),
        SchemaVersion(
            subject="orders-value",
            version=2,
            id=7,
            type="PROTOBUF",
            schema="abc",
            size=3,
            references={"common.proto": "common/3"},
            deleted=False,
        ),
    ]
    assert observed.gaps == []


@pytest.mark.parametrize("style", ["confluent", "apicurio"])
def test_versions_that_can_be_had_back_are_told_where_they_are_asked_for(style: Style):
    content = Content({"a-value": ["x", "y", "z"], "b-value": ["u"]}, style=style, deleted_versions={"a-value": {2}})
    with registry_server(content) as (address, _):
        registry = connect({"url": address}, Deadline(9))
        observed = {deleted: observe(registry, deleted=deleted) for deleted in (False, True)}
    assert [(row.subject, row.version, row.deleted) for row in observed[False].rows] == [
        ("a-value", 1, False),
        ("a-value", 3, False),
        ("b-value", 1, False),
    ]
    assert [(row.subject, row.version, row.id, row.schema) for row in observed[True].rows if row.deleted] == [
        ("a-value", 2, 2, "y")
    ]
    assert observed[True].gaps == []
