from pathlib import Path
from typing import Any

import pytest

from runbook.connections.zookeeper import connect
from runbook.connections.zookeeper.settings import read_settings
from runbook.model.errors import Misconfigured
from runbook.model.probe import Deadline


def test_a_server_is_an_address_or_more():
    short, long = read_settings(
        {
            "servers": {
                "zk-1": "zk-1.example:2181",
                "zk-2": {"address": "[::1]:2181", "admin": "zk-2:8080", "rack": "b", "machine": "blade-7"},
            }
        }
    )
    assert (short.place.host, short.place.port, short.admin) == ("zk-1.example", 2181, "")
    assert (short.place.rack, short.place.machine) == ("", "zk-1.example")
    assert (long.place.host, long.admin) == ("::1", "http://zk-2:8080/commands")
    assert (long.place.rack, long.place.machine) == ("b", "blade-7")


def test_where_an_authority_is_given_the_admin_server_speaks_tls():
    [server] = read_settings({"servers": {"a": {"address": "a:2281", "admin": "a:8443"}}, "ca": "/ca.pem"})
    assert server.admin == "https://a:8443/commands"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, "needs `servers`"),
        ({"servers": []}, "needs `servers`"),
        ({"servers": {"a": 2181}}, "must have an `address`"),
        ({"servers": {"a": "a"}}, "write host:port"),
        ({"servers": {"a": "a:0"}}, "write host:port"),
        ({"servers": {"a": "a:70000"}}, "write host:port"),
        ({"servers": {"a": "user@a:2181"}}, "write host:port"),
        ({"servers": {"a": {"adress": "a:2181"}}}, "did you mean address"),
        ({"servers": {"a": {"address": "a:2181", "admin": "ftp://a"}}}, "must be an address"),
        ({"server": {"a": "a:2181"}}, "did you mean servers"),
    ],
)
def test_settings_that_can_not_be_used_are_said_with_a_remedy(settings: dict[str, Any], says: str):
    with pytest.raises(Misconfigured, match=says):
        read_settings(settings)


def test_an_authority_that_is_none_is_refused_before_anything_is_sent(tmp_path: Path):
    (tmp_path / "ca.pem").write_text("no certificate")
    for ca in ("ca.pem", "missing.pem"):
        with pytest.raises(Misconfigured, match="name PEM files"):
            connect({"servers": {"a": "a:2181"}, "ca": str(tmp_path / ca)}, Deadline(5))
