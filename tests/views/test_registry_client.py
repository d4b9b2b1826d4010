from typing import Any

import pytest

from runbook.model.fact import Fact, tabulate
from runbook.views.registry_client import VIEW, compute

AVRO = "io.confluent.kafka.serializers.KafkaAvro"


def clients(**settings: dict[str, str | None]) -> list[dict[str, Any]]:
    rows = [(client, "", name, value) for client, values in settings.items() for name, value in values.items()]
    names = ("client", "kind", "setting", "value")
    config = Fact("client_config", {name: [row[i] for row in rows] for i, name in enumerate(names)})
    return list(tabulate("registry_client", VIEW.columns, compute(config=config)).rows())


@pytest.mark.parametrize(
    ("setting", "name", "format_"),
    [
        ("value.serializer", "io.confluent.kafka.serializers.KafkaAvroSerializer", "AVRO"),
        ("value.deserializer", "io.confluent.kafka.serializers.protobuf.KafkaProtobufDeserializer", "PROTOBUF"),
        ("value.serializer", "io.confluent.kafka.serializers.json.KafkaJsonSchemaSerializer", "JSON"),
        ("default.value.serde", "io.confluent.kafka.streams.serdes.avro.SpecificAvroSerde", "AVRO"),
        ("value.converter", "io.confluent.connect.protobuf.ProtobufConverter", "PROTOBUF"),
    ],
)
def test_a_class_tells_that_a_client_asks_a_registry_and_for_what(setting: str, name: str, format_: str):
    [row] = clients(a={setting: name})
    assert row["format"] == format_
    assert name.endswith(row["serializer"] or row["deserializer"])


def test_a_client_that_asks_no_registry_is_no_row():
    assert clients(a={"value.serializer": "org.apache.kafka.common.serialization.StringSerializer"}) == []


def test_serializers_register_unless_a_file_says_otherwise():
    url = {"schema.registry.url": "https://r"}
    rows = clients(a=url, b=url | {"auto.register.schemas": "false"}, c=url | {"auto.register.schemas": None})
    assert [row["auto_register"] for row in rows] == [True, False, None]


def test_what_no_file_says_is_empty_and_what_is_left_to_a_variable_is_not_known():
    [row] = clients(a={"schema.registry.url": None, "value.serializer": None})
    assert (row["url"], row["serializer"], row["deserializer"]) == (None, None, "")
    assert (row["login"], row["credentials_source"], row["names_class"]) == (False, "", None)


def test_only_the_class_of_its_own_format_counts():
    protobuf = {"value.deserializer": "io.confluent.kafka.serializers.protobuf.KafkaProtobufDeserializer"}
    rows = clients(
        a=protobuf | {"specific.protobuf.value.type": "shop.Click"}, b=protobuf | {"json.value.type": "shop.Click"}
    )
    assert [row["names_class"] for row in rows] == [True, False]


def test_the_address_for_keys_counts_as_well():
    both = {"key.converter.schema.registry.url": "http://k", "value.converter.schema.registry.url": "https://v"}
    assert [row["url"] for row in clients(a={**both})] == ["http://k,https://v"]
    assert [row["url"] for row in clients(a={**both, "key.converter.schema.registry.url": None})] == [None]
    assert [row["url"] for row in clients(a=dict.fromkeys(both, "https://r"))] == ["https://r"]


def test_settings_of_a_converter_count_as_its_own():
    settings = {
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": "http://r",
    }
    [row] = clients(a={**settings})
    assert (row["url"], row["format"]) == ("http://r", "AVRO")


@pytest.mark.parametrize(
    ("within", "deserializer", "format_"),
    [
        ({"spring.deserializer.value.delegate.class": f"{AVRO}Deserializer"}, "KafkaAvroDeserializer", "AVRO"),
        ({"spring.deserializer.value.delegate.class": None}, None, None),
        ({}, None, None),
    ],
)
def test_in_springs_wrapper_the_class_within_counts(
    within: dict[str, str | None], deserializer: str | None, format_: str | None
):
    wrapper = {"value.deserializer": "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer"}
    [row] = clients(a={"schema.registry.url": "https://r"} | wrapper | within)
    assert (row["deserializer"], row["format"]) == (deserializer, format_)
