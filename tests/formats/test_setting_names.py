import pytest

from runbook.formats.setting_names import BROKER, CLIENT, WORKER, alike, is_of_java, releases, unknown


@pytest.mark.parametrize(
    ("name", "kinds", "like"),
    [
        ("inter.broker.protocol", BROKER, "inter.broker.protocol.version"),
        ("sasl.enabled.mechanism", BROKER, "sasl.enabled.mechanisms"),
        ("ssl", CLIENT, ""),  # what is left of `ssl truststore password`
        ("max.partition.fetch.size", CLIENT, "max.partition.fetch.bytes"),
        ("fetch.message.max.bytes", ("consumer",), "fetch.max.bytes"),
        ("offset.storage.topics", WORKER, "offset.storage.topic"),
    ],
)
def test_a_misspelt_name_is_unknown_and_what_is_like_it_is_said(name: str, kinds: tuple[str, ...], like: str):
    assert unknown(name, kinds)
    assert alike(name, kinds) == like


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("process.roles", BROKER),
        ("zookeeper.connect", BROKER),  # of 3.9.1
        ("advertised.host.name", BROKER),  # gone in 3.0
        ("listener.name.clients.plain.sasl.jaas.config", BROKER),
        ("config.providers.file.class", BROKER),
        ("cruise.control.metrics.reporter.bootstrap.servers", BROKER),
        ("linger.ms", CLIENT),
        ("queue.buffering.max.messages", CLIENT),  # of librdkafka
        ("fetch.message.max.bytes", CLIENT),  # likewise
        ("schema.registry.url", CLIENT),
        ("auto.register.schemas", CLIENT),
        ("value.subject.name.strategy", CLIENT),
        ("value.converter.schemas.enable", WORKER),
    ],
)
def test_what_kafka_knows_or_hands_on_is_not_unknown(name: str, kinds: tuple[str, ...]):
    assert not unknown(name, kinds)


def test_java_is_told_from_librdkafka_by_what_the_latter_does_not_know():
    assert [is_of_java(name) for name in ("key.serializer", "linger.ms", "queue.buffering.max.ms")] == [
        True,
        False,
        False,
    ]


def test_the_releases_are_those_of_the_data():
    assert releases(BROKER) == "Kafka 3.9.1 and 4.3.0"
    assert releases(CLIENT).startswith("Kafka 3.9.1 and 4.3.0 and librdkafka 2.")


@pytest.mark.parametrize("name", ["ack", "Acks", "ACKS", "linger-ms", "linger_ms", "retrie"])
def test_a_known_name_in_another_spelling_is_unknown_to_kafka(name: str) -> None:
    assert unknown(name, CLIENT)
    assert alike(name, CLIENT) in ("acks", "linger.ms", "retries")


@pytest.mark.parametrize("name", ["acks", "retries", "file", "table", "foo"])
def test_a_word_that_is_no_name_of_kafka_is_left_to_plugins(name: str) -> None:
    assert not unknown(name, CLIENT)
