import pytest

from runbook.connections.schema_registry import connect
from runbook.model.probe import Deadline
from runbook.probes.schema_id import SchemaId, observe
from support.registry_servers import Content, Style, registry_server


@pytest.mark.parametrize("style", ["confluent", "apicurio"])
def test_ids_are_told_of_all_versions_and_which_of_them_are_deleted(style: Style):
    content = Content({"a-value": ["x", "y"], "b-value": ["u"]}, style=style, deleted_versions={"a-value": {2}})
    with registry_server(content) as (address, asked):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert observed.rows == [
        SchemaId(subject="a-value", version=1, id=1, deleted=False),
        SchemaId(subject="b-value", version=1, id=1, deleted=False),
        SchemaId(subject="a-value", version=2, id=2, deleted=True),
    ]
    assert observed.gaps == []
    assert len({request.path for request in asked}) == len(asked)


def test_deleted_versions_that_are_listed_and_not_told_are_a_gap():
    content = Content({"a-value": ["x"]}, style="apicurio", deleted=("gone-value",))
    with registry_server(content) as (address, _):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert [row.subject for row in observed.rows] == ["a-value"]
    assert [gap.keys for gap in observed.gaps] == [{"subject": "gone-value"}]
