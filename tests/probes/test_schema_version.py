from registry_servers import Content, registry_server
from runbook.connections.schema_registry import connect
from runbook.engine.probe import Clock
from runbook.probes.schema_version import observe

REFERENCE = {"name": "common.proto", "subject": "common", "version": 3}
PROTO = {"schema": "abc", "schemaType": "PROTOBUF", "id": 7, "references": [REFERENCE]}


def test_a_version_is_a_row_and_avro_where_no_type_is_told():
    with registry_server(Content({"orders-value": ["x", PROTO]})) as (address, _):
        observed = observe(connect({"url": address}, Clock(9)))
    assert observed.rows == [
        ("orders-value", 1, 1, "AVRO", "x", 1, {}),
        ("orders-value", 2, 7, "PROTOBUF", "abc", 3, {"common.proto": "common/3"}),
    ]
    assert observed.gaps == []
