import pytest

from runbook.formats.listeners import (
    Listener,
    controllers,
    controllers_encrypted,
    host_and_port,
    listeners,
    to_controllers,
)

BROKER = {
    "listeners": "INTERNAL://10.0.0.1:9091,CLIENTS://0.0.0.0:9093,CONTROLLER://10.0.0.1:9090",
    "advertised.listeners": "INTERNAL://10.0.0.1:9091,CLIENTS://kafka-1.example:19093",
    "listener.security.protocol.map": "INTERNAL:SSL,CLIENTS:SASL_SSL,CONTROLLER:SSL",
    "inter.broker.listener.name": "INTERNAL",
    "controller.listener.names": "CONTROLLER",
    "sasl.enabled.mechanisms": "GSSAPI",
    "listener.name.clients.sasl.enabled.mechanisms": "SCRAM-SHA-512,PLAIN",
    "ssl.client.auth": "required",
}


def named(**settings: str | None) -> dict[str, Listener]:
    found = listeners(BROKER | {name.replace("_", "."): value for name, value in settings.items()})
    assert found is not None
    return {listener.name: listener for listener in found}


def test_each_listener_has_its_protocol_and_the_address_that_clients_are_told():
    found = named()
    assert [
        (listener.name, listener.protocol, listener.host, listener.port, listener.bound_host)
        for listener in found.values()
    ] == [
        ("INTERNAL", "SSL", "10.0.0.1", 9091, "10.0.0.1"),
        ("CLIENTS", "SASL_SSL", "kafka-1.example", 19093, "0.0.0.0"),
        ("CONTROLLER", "SSL", "10.0.0.1", 9090, "10.0.0.1"),
    ]
    assert [listener.between_brokers for listener in found.values()] == [True, False, False]
    assert [listener.for_controllers for listener in found.values()] == [False, False, True]


def test_what_is_set_for_a_listener_goes_before_what_is_set_for_all():
    assert named()["CLIENTS"].mechanisms == ("SCRAM-SHA-512", "PLAIN")
    assert named()["INTERNAL"].mechanisms == ()
    bare = named(**{"listener.name.clients.sasl.enabled.mechanisms": None})
    assert bare["CLIENTS"].mechanisms == ("GSSAPI",)


def test_a_certificate_demanded_of_all_is_not_demanded_where_sasl_is_spoken():
    assert named()["INTERNAL"].client_certificate == "required"
    assert named()["CLIENTS"].client_certificate == "none"
    assert named(**{"listener.name.clients.ssl.client.auth": "requested"})["CLIENTS"].client_certificate == "requested"


def test_without_a_name_brokers_meet_over_a_protocol():
    found = named(inter_broker_listener_name="", security_inter_broker_protocol="SASL_SSL")
    assert [listener.name for listener in found.values() if listener.between_brokers] == ["CLIENTS"]


def test_a_listener_that_the_map_lacks_has_no_known_protocol():
    assert named(listener_security_protocol_map="INTERNAL:SSL")["CLIENTS"].protocol == ""


def test_a_broker_that_tells_no_listeners_has_none_that_are_known():
    assert listeners({}) is None
    assert listeners({"listeners": None}) is None


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"controller.quorum.voters": "1@a:9090,2@[::1]:9090"}, [("a", 9090), ("::1", 9090)]),
        ({"controller.quorum.bootstrap.servers": "a:1", "controller.quorum.voters": "1@b:2"}, [("a", 1)]),
        ({}, []),
    ],
)
def test_controllers_are_where_the_quorum_is_configured(settings: dict[str, str], found: list[tuple[str, int]]):
    assert controllers(settings) == found


def test_controllers_are_encrypted_as_their_first_listener_is():
    assert controllers_encrypted(BROKER)
    assert not controllers_encrypted(BROKER | {"listener.security.protocol.map": "CONTROLLER:PLAINTEXT"})
    assert controllers_encrypted({}) is False


@pytest.mark.parametrize(
    ("settings", "channel"),
    [
        (BROKER, ("CONTROLLER", "SSL")),
        (BROKER | {"listener.security.protocol.map": "INTERNAL:SSL"}, ("CONTROLLER", "PLAINTEXT")),
        (BROKER | {"listener.security.protocol.map": None}, ("CONTROLLER", None)),
        (BROKER | {"controller.listener.names": None}, ("", None)),
        (BROKER | {"controller.listener.names": ""}, None),
        ({"listener.security.protocol.map": None}, None),
    ],
)
def test_brokers_come_to_controllers_by_their_first_listener(
    settings: dict[str, str | None], channel: tuple[str, str | None] | None
):
    assert to_controllers(settings) == channel
    told = channel and channel[1]
    assert controllers_encrypted(settings) is (None if channel and told is None else told == "SSL")


def test_an_address_is_host_and_port():
    assert host_and_port("a.example:1") == ("a.example", 1)
    assert host_and_port("[::1]:1") == ("::1", 1)
    assert host_and_port("a") is host_and_port("http://a:1") is None
