from typing import Any

import pytest

from support.strimzi_played import KAFKAS, platform


def test_listeners_tell_who_may_come_and_how():
    rows = {row["listener"]: row for row in platform().observe("listener_declaration").rows()}
    inside, outside = rows["tls"], rows["outside"]
    assert (inside["kafka"], inside["port"], inside["type"], inside["outside"]) == ("orders", 9093, "internal", False)
    assert (inside["tls"], inside["authentication"], inside["peers"]) == (True, "tls", -1)
    assert (outside["port"], outside["type"], outside["outside"]) == (9094, "loadbalancer", True)
    assert (outside["tls"], outside["authentication"]) == (True, "scram-sha-512")


@pytest.mark.parametrize(
    ("changed", "column", "expected"),
    [
        ({"tls": False}, "tls", False),
        ({"authentication": None}, "authentication", ""),
        ({"authentication": {"type": "custom", "sasl": False, "listenerConfig": {}}}, "authentication", ""),
        ({"authentication": {"type": "custom", "sasl": True}}, "authentication", "custom"),
        (
            {"authentication": {"type": "custom", "listenerConfig": {"ssl.client.auth": "required"}}},
            "authentication",
            "custom",
        ),
        (
            {"authentication": {"type": "custom", "listenerConfig": {"ssl.client.auth": "requested"}}},
            "authentication",
            "",
        ),
        ({"type": "cluster-ip"}, "outside", False),
        ({"type": "nodeport"}, "outside", True),
        ({"networkPolicyPeers": []}, "peers", -1),
        ({"networkPolicyPeers": [{"podSelector": {}}]}, "peers", 1),
    ],
)
def test_what_is_written_otherwise_is_told_otherwise(changed: dict[str, Any], column: str, expected: Any):
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["listeners"][0] |= changed
    assert played.row("listener_declaration", listener="tls")[column] == expected


def test_without_strimzi_there_is_nothing_to_tell():
    played = platform()
    del played.answers["/apis/kafka.strimzi.io"]
    assert played.observe("listener_declaration").inapplicable
