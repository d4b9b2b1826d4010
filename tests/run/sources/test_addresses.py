from typing import Any

import pytest

from runbook.run.sources.addresses import addressed, bootstrap_of
from support.small_runbooks import target

SAID = "Look: `kafka-acls.sh --bootstrap-server HOST:PORT --list`; HOST:PORT is the broker's."


def reached(servers: Any) -> str:
    return addressed(SAID, target("prod", {"kafka": {"bootstrap.servers": servers}}))


def test_a_command_asks_the_servers_of_the_inventory() -> None:
    assert reached("kafka-1.example:9092, kafka-2.example:9092") == SAID.replace(
        "server HOST:PORT", "server kafka-1.example:9092,kafka-2.example:9092"
    )


@pytest.mark.parametrize(
    "servers",
    ["", "kafka:9092; rm -rf /", "$(id):9092", "[::1]:9092", {"env": "SERVERS"}, ["kafka:9092"]],
)
def test_what_is_no_plain_word_of_a_shell_is_not_put_there(servers: Any) -> None:
    assert reached(servers) == SAID


def test_an_environment_without_kafka_has_none() -> None:
    assert bootstrap_of(target("prod")) == ""
