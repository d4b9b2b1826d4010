import pytest

from runbook.connections.schema_registry import connect
from runbook.model.errors import CannotLook
from runbook.model.probe import Deadline
from runbook.probes.schema_registry import SchemaRegistry, observe
from support.http_servers import Answer, http_server
from support.registry_servers import Content, registry_server


def test_an_instance_is_a_row():
    with registry_server(Content({}, level="FULL")) as (address, _):
        url = f"http://{address}"
        observed = observe(connect({"url": [url, "127.0.0.1:1"]}, Deadline(9)))
    refused = "can't be reached: connection refused"
    assert observed.rows == [
        SchemaRegistry(
            instance=url,
            answers=True,
            silence="",
            compatibility="FULL",
            mode="READWRITE",
            types=["AVRO", "JSON", "PROTOBUF"],
            version="8.0.0",
        ),
        SchemaRegistry(
            instance="http://127.0.0.1:1",
            answers=False,
            silence=refused,
            compatibility=None,
            mode=None,
            types=None,
            version=None,
        ),
    ]
    assert observed.gaps == []


def test_a_registry_that_does_not_answer_is_no_row():
    with http_server(lambda _: Answer(b"", 503)) as (address, _), pytest.raises(CannotLook):
        observe(connect({"url": address}, Deadline(9)))
