import pytest

from runbook.formats.broker_start import refusals, unreadable

BROKER = {"process.roles": "broker", "controller.listener.names": "CONTROLLER"}
SASL = {"listeners": "SASL_SSL://:9092", "security.inter.broker.protocol": "SASL_SSL"}
NAMED = {
    "listeners": "CLIENTS://:9092,BROKERS://:9091",
    "listener.security.protocol.map": "CLIENTS:SSL,BROKERS:SASL_SSL,CONTROLLER:SSL",
    "inter.broker.listener.name": "brokers",
}


@pytest.mark.parametrize(
    "settings",
    [
        {},  # all by default: PLAINTEXT://:9092, over which brokers talk
        BROKER,
        {**BROKER, **SASL, "listener.security.protocol.map": "SASL_SSL:SASL_SSL,CONTROLLER:SSL"},
        {**BROKER, **NAMED, "sasl.enabled.mechanisms": " PLAIN , GSSAPI "},
        {**NAMED, "listener.name.brokers.sasl.enabled.mechanisms": "PLAIN"}
        | {"sasl.mechanism.inter.broker.protocol": "PLAIN"},
        {"process.roles": "controller", "controller.listener.names": "CONTROLLER", "listeners": "CONTROLLER://:9093"},
        {"listeners": "SSL://10.0.0.1:9092,PLAINTEXT://[::1]:9092"},
        {"listeners": "SSL://:0,PLAINTEXT://:0"},
    ],
)
def test_kafka_starts_with_what_it_takes(settings: dict[str, str]):
    assert refusals(settings) == []


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (
            {**BROKER, "listeners": "SSL://:9092", "listener.security.protocol.map": "SSL:SSL,CONTROLLER:SSL"},
            "by default",
        ),
        ({**SASL, "sasl.enabled.mechanisms": "PLAIN"}, "is GSSAPI by default, but SASL_SSL enables PLAIN"),
        ({**SASL, "sasl.mechanism.inter.broker.protocol": "PLAIN"}, "enables GSSAPI"),
        (
            {**SASL, "sasl.enabled.mechanisms": "plain", "sasl.mechanism.inter.broker.protocol": "PLAIN"},
            "is PLAIN, but SASL_SSL enables plain",
        ),
        ({**NAMED, "listener.name.brokers.sasl.enabled.mechanisms": "PLAIN"}, "listener.name.brokers.sasl"),
        ({**NAMED, "inter.broker.listener.name": "NOWHERE"}, "NOWHERE, which listener.security.protocol.map"),
        ({**NAMED, "inter.broker.listener.name": "CONTROLLER"}, "brokers advertise no such listener"),
        ({**SASL, "inter.broker.listener.name": "SASL_SSL"}, "only one of them"),
        ({"security.inter.broker.protocol": "ssl"}, "is ssl: there is PLAINTEXT, SSL"),
        ({"listeners": "PLAINTEXT://:9092,SSL://:9092"}, "port 9092 twice"),
        ({"listeners": "PLAINTEXT://:9092,plaintext://:9093"}, "PLAINTEXT twice"),
        ({"listeners": "PLAINTEXT:9092"}, "NAME://HOST:PORT"),
        ({"listeners": ""}, "listeners is empty"),
        ({"listeners": "CLIENTS://:9092"}, "CLIENTS, which listener.security.protocol.map does not have"),
        ({"listener.security.protocol.map": "PLAINTEXT:TLS"}, "PLAINTEXT:TLS"),
        ({"advertised.listeners": "PLAINTEXT://0.0.0.0:9092"}, "0.0.0.0"),
        ({"advertised.listeners": "SSL://k:9093,PLAINTEXT://k:9092"}, "SSL, which is not in listeners"),
        ({"control.plane.listener.name": "SSL"}, "SSL, which brokers do not advertise"),
        ({"control.plane.listener.name": "PLAINTEXT"}, "over which brokers replicate"),
        ({"process.roles": "broker"}, "controller.listener.names is not set"),
        (
            {**BROKER, "controller.listener.names": "SSL"} | {"listeners": "SSL://:1,PLAINTEXT://:2"},
            "which is in listeners",
        ),
        ({**BROKER, "listeners": "PLAINTEXT://:9092,SSL://:9093"}, "has CONTROLLER, which listener.security"),
        ({"process.roles": "broker,controller", "controller.listener.names": "C"}, "C, which is not in listeners"),
        ({"process.roles": "controller"}, "a controller needs a listener"),
        (
            {"process.roles": "controller", "controller.listener.names": "C", "listeners": "C://:9093,SSL://:9092"},
            "C, which listener.security.protocol.map does not have",
        ),
        (
            {"process.roles": "controller", "controller.listener.names": "C", "listeners": "C://:1,PLAINTEXT://:2"},
            "listeners has PLAINTEXT, which controller.listener.names does not have",
        ),
    ],
)
def test_kafka_refuses_and_it_is_said_why(settings: dict[str, str], why: str):
    assert why in "; ".join(refusals(settings))


def test_what_a_reference_or_a_further_line_holds_is_not_judged():
    settings = {"listeners": "${env:LISTENERS}", "listener.name.a.sasl.enabled.mechanisms": "PLAIN,\\"}
    assert unreadable(settings | {"super.users": "${env:ME}"}) == sorted(settings)
    assert unreadable({"listeners": "PLAINTEXT://:9092", "inter.broker.listener.name": "A\\\\"}) == []
