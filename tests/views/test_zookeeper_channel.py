import pytest

from runbook.views import zookeeper_channel
from support.mirror_facts import fact_of, seen

NETTY = "org.apache.zookeeper.ClientCnxnSocketNetty"


@pytest.mark.parametrize(
    ("enabled", "socket", "encrypted"),
    [
        ("true", NETTY, True),
        ("true", "ClientCnxnSocketNetty", True),
        ("true", "", False),  # seen with Kafka 3.9.1: it joins by the plain port
        ("false", NETTY, False),
        ("false", None, False),
        ("true", None, None),
        (None, NETTY, None),
    ],
)
def test_both_settings_make_it_tls(enabled: str | None, socket: str | None, *, encrypted: bool | None) -> None:
    rows = [
        {"broker": 1, "setting": "zookeeper.ssl.client.enable", "value": enabled},
        {"broker": 1, "setting": "zookeeper.clientCnxnSocket", "value": socket},
    ]
    made = seen(zookeeper_channel, setting=fact_of("kafka_broker_setting", rows))
    assert [(row["broker"], row["encrypted"]) for row in made] == [(1, encrypted)]


def test_a_release_without_the_setting_has_no_tls() -> None:
    rows = [{"broker": 1, "setting": "zookeeper.connect", "value": "10.0.0.9:2181"}]
    made = seen(zookeeper_channel, setting=fact_of("kafka_broker_setting", rows))
    assert [(row["broker"], row["encrypted"]) for row in made] == [(1, False)]
