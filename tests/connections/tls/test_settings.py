from pathlib import Path
from typing import Any

import pytest

from kafka_lab.certificates import Authority
from runbook.connections import tls
from runbook.connections.tls.learning import of_web, of_zookeeper
from runbook.connections.tls.settings import authorities, given_endpoints
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline
from support.tls_servers import certificates


def test_endpoints_are_a_list_or_have_names():
    listed = given_endpoints({"endpoints": ["a.example:443", "[::1]:8443"]})
    assert [(endpoint.host, endpoint.port, endpoint.origins) for endpoint in listed] == [
        ("a.example", 443, ("inventory",)),
        ("::1", 8443, ("inventory",)),
    ]
    assert given_endpoints({"endpoints": {"registry": "a.example:443"}}) == listed[:1]
    assert given_endpoints({"kafka": {}}) == []


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"endpoints": ["a"]}, "endpoint a of tls must be host:port"),
        ({"endpoints": [":443"]}, "must be host:port"),
        ({"endpoints": {"registry": "a:70000"}}, "endpoint registry of tls must be host:port"),
        ({"endpoints": 3}, "must be a list"),
        ({"endpoint": ["a:1"]}, "did you mean endpoints"),
    ],
)
def test_settings_that_can_not_be_used_are_said_with_a_remedy(settings: dict[str, Any], says: str):
    with pytest.raises(Misconfigured, match=says):
        tls.connect(settings, Deadline(5))


def test_without_an_endpoint_there_is_nothing_to_look_at():
    with pytest.raises(Misconfigured, match="tls needs `endpoints`"):
        tls.connect({}, Deadline(5)).endpoints()


def test_whom_clients_trust_is_said_here_or_by_the_connection_to_kafka(tmp_path: Path):
    Authority(tmp_path)
    file, roots = str(tmp_path / "ca.crt"), certificates(tmp_path, "ca")
    assert authorities({"ca": file}, Deadline(5)) == roots
    assert authorities({"kafka": {"ssl.ca.location": file}}, Deadline(5)) == roots
    assert authorities({"kafka": {"ssl.ca.pem": Path(file).read_text()}}, Deadline(5)) == roots
    assert authorities({"kafka": {}}, Deadline(5)) is None
    for broken in (tmp_path / "ca.key", tmp_path / "missing"):
        with pytest.raises(Misconfigured, match="authorities to trust can't be read"):
            authorities({"ca": str(broken)}, Deadline(5))


def test_every_https_address_of_a_connection_is_an_endpoint():
    settings = {
        "agents": {"1": "https://a.example:8778/jolokia", "2": "http://b.example:8778"},
        "more": ["https://[::1]"],
    }
    assert [(endpoint.host, endpoint.port, endpoint.origins) for endpoint in of_web("jolokia", settings)] == [
        ("a.example", 8778, ("jolokia",)),
        ("::1", 443, ("jolokia",)),
    ]


def test_zookeepers_servers_are_endpoints_where_tls_is_spoken_to_them():
    servers = {"zk-1": "a:2281", "zk-2": {"address": "[::1]:2281"}, "zk-3": {"admin": "http://c"}}
    assert list(of_zookeeper({"servers": servers})) == []
    assert [endpoint.address for endpoint in of_zookeeper({"servers": servers, "ca": "ca.pem"})] == [
        "a:2281",
        "[::1]:2281",
    ]
    assert list(of_zookeeper({"servers": ["a:1"], "ca": "ca.pem"})) == []
