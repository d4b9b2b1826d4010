from runbook.connections.schema_registry import connect
from runbook.model.probe import Deadline
from runbook.probes.schema_mode import SchemaMode, observe
from support.registry_servers import Content, registry_server


def test_a_subject_is_a_row_with_the_mode_in_force():
    with registry_server(Content({"b": ["x"], "a": ["x"]})) as (address, _):
        observed = observe(connect({"url": address}, Deadline(9)))
    assert observed.rows == [SchemaMode(subject="a", mode="READWRITE"), SchemaMode(subject="b", mode="READWRITE")]
    assert observed.gaps == []
