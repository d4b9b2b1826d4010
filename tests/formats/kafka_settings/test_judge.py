import pytest

from runbook.formats.kafka_settings import judge, judged, nearest
from runbook.formats.kafka_settings.facts import DefinedSetting, settings

BROKER = {
    "process.roles": "broker",
    "node.id": "2",
    "controller.quorum.voters": "1@c1:9093",
    "controller.listener.names": "CONTROLLER",
}


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        (
            "num.io.threads",
            "8 # as many as disks",
            "Invalid value 8 # as many as disks for configuration num.io.threads: Not a number of type INT",
        ),
        (
            "log.retention.hours",
            "7d",
            "Invalid value 7d for configuration log.retention.hours: Not a number of type INT",
        ),
        (
            "min.insync.replicas",
            "0",
            "Invalid value 0 for configuration min.insync.replicas: Value must be at least 1",
        ),
        (
            "auto.create.topics.enable",
            "yes",
            "Invalid value yes for configuration auto.create.topics.enable: Expected value to be either true or false",
        ),
        (
            "process.roles",
            "Broker,Controller",
            "Invalid value Broker for configuration process.roles: String must be one of: broker, controller",
        ),
    ],
)
def test_a_value_that_kafka_does_not_take_is_said_in_its_words(name: str, value: str, says: str):
    assert says in [mistake.says for mistake in judge("broker", "4.3.0", {**BROKER, name: value}).mistakes]


@pytest.mark.parametrize(
    ("release", "missing"), [("4.3.0", ["controller.listener.names", "process.roles"]), ("3.9.1", [])]
)
def test_a_zookeeper_file_is_refused_by_kafka_4_alone(release: str, missing: list[str]):
    found = judge("broker", release, {"broker.id": "0", "zookeeper.connect": "zk:2181"})
    assert [mistake.setting for mistake in found.mistakes if mistake.missing] == missing


@pytest.mark.parametrize(("kind", "name"), [("broker", "num.io.threads"), ("broker", "node.id"), ("producer", "acks")])
def test_a_value_that_stands_elsewhere_is_unknown_and_no_rule_is_judged_by_it(kind: str, name: str):
    given = (
        BROKER if kind == "broker" else {"key.serializer": "a.B", "value.serializer": "a.B", "bootstrap.servers": "k:1"}
    )
    found = judge(kind, "4.3.0", {**given, "enable.idempotence": "true", name: "${env:IT}"})
    assert (found.mistakes, found.unknown) == ([], sorted({name, "broker.id"} if name == "node.id" else {name}))


def test_what_is_required_and_not_there_is_told_apart():
    found = judge("consumer", "4.3.0", {"bootstrap.servers": "k:9092", "isolation.level": "READ_COMMITTED"})
    assert {mistake.setting: mistake.missing for mistake in found.mistakes} == {
        "isolation.level": False,
        "key.deserializer": True,
        "value.deserializer": True,
    }


def test_what_a_release_defines_of_a_setting():
    assert settings("topic", "4.3.0")["min.insync.replicas"] == DefinedSetting(
        type="INT", required=False, default="1", importance="MEDIUM", validator={"is": "Range", "min": 1}
    )
    assert "zookeeper.connect" not in settings("broker", "4.0.0")


@pytest.mark.parametrize("release", ["4.x", "latest", "", "4", "9" * 5000])
def test_no_release_tells_of_what_is_none(release: str):
    assert nearest("broker", release) == []


def test_a_number_of_many_digits_is_refused_as_one_that_is_too_great():
    [mistake] = judge("broker", judged("broker")[-1], BROKER | {"num.io.threads": "9" * 5000}).mistakes
    assert "Not a number of type INT" in str(mistake)
