"""How clients use the Schema Registry: what their files say of serializers, of registering, and of logging in."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from runbook.engine.column import Column
from runbook.engine.fact import Fact, Observed
from runbook.engine.view import View

_URL = "schema.registry.url"
_WRITERS = ("value.serializer", "default.value.serde", "value.converter")
_READERS = ("value.deserializer", "default.value.serde", "value.converter")
_CLASSES = ("specific.protobuf.value.type", "json.value.type")

FORMATS: Final = {
    "KafkaAvro": "AVRO",
    "SpecificAvroSerde": "AVRO",
    "GenericAvroSerde": "AVRO",
    "ReflectionAvroSerde": "AVRO",
    "PrimitiveAvroSerde": "AVRO",
    "AvroConverter": "AVRO",
    "KafkaProtobuf": "PROTOBUF",
    "ProtobufConverter": "PROTOBUF",
    "KafkaJsonSchema": "JSON",
    "JsonSchemaConverter": "JSON",
}
"""How the names of classes that ask a registry begin, without their package: Confluent's."""

VIEW = View(
    help="One row per client whose files name a Schema Registry, or a class that asks one.",
    columns=(
        Column("client", "string", "Name of the client in the inventory.", key=True),
        Column("kind", "string", "producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True),
        Column("url", "string", "schema.registry.url; empty if no file says."),
        Column("serializer", "string", "Class that writes values, without its package; empty if no file says."),
        Column("deserializer", "string", "Class that reads values, without its package; empty if no file says."),
        Column(
            "format",
            "string",
            "AVRO, JSON or PROTOBUF, by those classes; empty if they are none of a registry's, unknown if hidden.",
        ),
        Column(
            "auto_register", "bool", "auto.register.schemas in force; true if no file says, as serializers have it."
        ),
        Column("login", "bool", "Whether a file has basic.auth.user.info."),
        Column("credentials_source", "string", "basic.auth.credentials.source; empty if no file says."),
        Column("specific_avro_reader", "string", "specific.avro.reader; empty if no file says."),
        Column("names_class", "bool", "Whether a file names the class to give for Protobuf or JSON."),
    ),
    of=(("client", "kind", "setting", "value"),),
    version=2,
)


def compute(config: Fact, /) -> Observed:
    """Work it out from client_config."""
    clients: dict[tuple[str, str], dict[str, str | None]] = defaultdict(dict)
    rows = zip(*(config.columns[name] for name in ("client", "kind", "setting", "value")), strict=True)
    for client, kind, setting, value in rows:
        clients[client, kind][setting.removeprefix("value.converter.")] = value
    return Observed(rows=[(*key, *_row(told)) for key, told in sorted(clients.items()) if _asks(told)])


def _asks(told: Mapping[str, str | None]) -> bool:
    return _URL in told or bool(_format(told))


def _row(told: Mapping[str, str | None]) -> tuple[Any, ...]:
    return (
        told.get(_URL, ""),
        _class(told, _WRITERS),
        _class(told, _READERS),
        _format(told),
        _registers(told.get("auto.register.schemas", "true")),
        "basic.auth.user.info" in told,
        told.get("basic.auth.credentials.source", ""),
        told.get("specific.avro.reader", ""),
        any(name in told for name in _CLASSES),
    )


def _class(told: Mapping[str, str | None], settings: tuple[str, ...]) -> str | None:
    """The class of the first of these settings that is there; None where a file leaves it to a variable."""
    found = next((told[name] for name in settings if name in told), "")
    return found if found is None else found.rpartition(".")[2]


def _format(told: Mapping[str, str | None]) -> str | None:
    """The format of the first class that tells one; None if none does and a file leaves one to a variable."""
    classes = [_class(told, _WRITERS), _class(told, _READERS)]
    found = next((FORMATS[start] for name in classes for start in FORMATS if name and name.startswith(start)), "")
    return found or (None if None in classes else "")


def _registers(value: str | None) -> bool | None:
    return None if value is None else value.strip().lower() == "true"
