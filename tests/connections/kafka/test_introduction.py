"""What librdkafka heard first at an address is of that address, whatever it heard of others later."""

import socket

import pytest

from runbook.answers.kafka.errors import AnotherCluster, MixedUp
from runbook.connections.kafka import connect
from runbook.connections.kafka.introduction import Introduction, Neighbour, first_introduction, introduce
from runbook.connections.kafka.properties import for_librdkafka
from runbook.model.errors import Refused
from runbook.model.probe import Deadline
from support.fault_servers import faulty_server

OURS = [
    "[thrd:main]: {at}: ===== Received metadata (for 1 requested topics): connected =====",
    "[thrd:main]: {at}: ClusterId: POH9ULwuQfOdtrsnBvLYpA, ControllerId: 2",
    "[thrd:main]: {at}: 2 brokers, 1 topics",
    "[thrd:main]: {at}:   Broker #0/2: 10.0.0.1:9092 NodeId 1",
    "[thrd:main]: {at}:   Broker #1/2: [fd00::2]:9093 NodeId 2",
]
OTHERS = [
    "[thrd:main]: {at}: ===== Received metadata (for 1 requested topics): application =====",
    "[thrd:main]: {at}: ClusterId: fEHcQhnZRKicZcqJUtk46w, ControllerId: 1",
    "[thrd:main]: {at}:   Broker #0/1: 10.9.9.9:9092 NodeId 1",
]
"""As librdkafka 2.16.0 says it."""
SERVER = "10.0.0.1:9092"


@pytest.mark.parametrize("scheme", ["", "sasl_plaintext://", "ssl://"])
def test_the_first_word_of_the_address_counts_and_no_later_one(scheme: str):
    heard = [line.format(at=f"{scheme}{SERVER}/bootstrap") for line in OURS]
    later = [line.format(at=f"{scheme}10.0.0.3:9092/3") for line in OTHERS]
    brokers = {1: Neighbour(1, "10.0.0.1", 9092), 2: Neighbour(2, "fd00::2", 9093)}
    expected = Introduction("POH9ULwuQfOdtrsnBvLYpA", brokers)
    assert first_introduction(["anything else", *heard, *later], SERVER) == expected
    assert expected.addresses == {1: SERVER, 2: "[fd00::2]:9093"}


def test_what_another_address_told_first_proves_nothing():
    assert first_introduction([line.format(at="10.0.0.3:9092/3") for line in OTHERS], SERVER) is None
    assert first_introduction(["something that no release says yet"], SERVER) is None


def test_once_librdkafka_met_another_cluster_nothing_it_says_is_believed():
    kafka = connect({"bootstrap.servers": SERVER, "ssl.curves.list": "X25519"}, Deadline(1))
    client = kafka._confluent
    client._note(
        'CLUSTERID [rdkafka#producer-1] [thrd:main]: 10.0.0.3:9092/3: Broker reports different ClusterId "other" than '
        'previously known "ours": a client must not be simultaneously connected to multiple clusters'
    )
    try:
        for ask in (client.partitions, client.cluster, client.groups, client.acls):
            with pytest.raises(MixedUp, match="whose id is other"):
                ask()
    finally:
        kafka.close()


def test_where_an_address_tells_another_cluster_nothing_more_is_asked_of_anybody():
    kafka = connect({"bootstrap.servers": SERVER}, Deadline(1))
    client = kafka._confluent
    client.keep_to([SERVER], "ours")
    try:
        with pytest.raises(AnotherCluster, match="broker 3 can't be reached: at its address another cluster answers"):
            client._know(Introduction("other", {}), "broker 3")
        with pytest.raises(MixedUp, match="broker 3 can't be reached"):
            client.partitions()
    finally:
        kafka.close()


def test_a_name_is_not_given_up_before_each_of_its_addresses_may_have_refused(monkeypatch: pytest.MonkeyPatch):
    many = 20  # far more than it tries before its first words are read
    addresses = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (f"127.0.0.{last}", 0)) for last in range(1, many + 1)]
    refusals = []
    for found in (addresses, addresses[:1]):
        heard: list[object] = []
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, found=found, **__: found)
        with faulty_server("refused") as address:
            config = for_librdkafka({"bootstrap.servers": address}, Deadline(9)) | {"error_cb": heard.append}
            with pytest.raises(Refused):
                introduce(config, address, 9.0)
        refusals.append(len(heard))
    assert refusals[0] >= many > refusals[1]
