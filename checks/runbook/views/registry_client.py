"""How clients use the Schema Registry: what their files say of serializers, of registering, and of logging in."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_URL = "schema.registry.url"
_WRITERS = ("value.serializer", "default.value.serde", "value.converter")
_READERS = ("value.deserializer", "default.value.serde", "value.converter")
_WRAPPER: Final = "ErrorHandlingDeserializer"
_DELEGATE: Final = "spring.deserializer.value.delegate.class"
"""Spring's class that catches what another one throws, and the setting that names the other (its reference)."""
_CLASS: Final = {"PROTOBUF": "specific.protobuf.value.type", "JSON": "json.value.type"}
"""The setting that names the class to give, by format."""

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


class RegistryClient(Row):
    """A client whose files name a Schema Registry."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, streams, connect, mirrormaker; empty: unclear.", key=True)]
    url: Annotated[
        str | None,
        Cell("schema.registry.url, and those of its converters, with commas; empty if no file says."),
    ]
    serializer: Annotated[str | None, Cell("Class that writes values, without its package; empty if no file says.")]
    deserializer: Annotated[str | None, Cell("Class that reads values, without its package; empty if no file says.")]
    format: Annotated[
        str | None,
        Cell("AVRO, JSON or PROTOBUF, by those classes; empty if they are none of a registry's, unknown if hidden."),
    ]
    auto_register: Annotated[
        bool | None, Cell("auto.register.schemas in force; true if no file says, as serializers have it.")
    ]
    login: Annotated[bool, Cell("Whether a file has basic.auth.user.info.")]
    credentials_source: Annotated[str | None, Cell("basic.auth.credentials.source; empty if no file says.")]
    specific_avro_reader: Annotated[str | None, Cell("specific.avro.reader; empty if no file says.")]
    names_class: Annotated[
        bool | None,
        Cell("Whether a file names the class to give, for Protobuf or JSON; unknown if the format is."),
    ]


VIEW = View(
    help="One row per client whose files name a Schema Registry, or a class that asks one.",
    row=RegistryClient,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    version=5,
)


def compute(*, config: Fact) -> Observed:
    """Work it out from client_config."""
    clients: dict[tuple[str, str], dict[str, str | None]] = defaultdict(dict)
    for row in config.rows():
        clients[row["client"], row["kind"]][row["setting"].removeprefix("value.converter.")] = row["value"]
    asking = ((key, settings) for key, settings in sorted(clients.items()) if _asks(settings))
    return Observed(rows=[_row(client, kind, settings) for (client, kind), settings in asking])


def _asks(settings: Mapping[str, str | None]) -> bool:
    return bool(_addresses(settings)) or bool(_format(settings))


def _addresses(settings: Mapping[str, str | None]) -> list[str | None]:
    """What files say of the registry's address, for the client itself and for converters of keys and headers."""
    return [value for name, value in sorted(settings.items()) if name == _URL or name.endswith(f".{_URL}")]


def _url(settings: Mapping[str, str | None]) -> str | None:
    """All of these; None if a file leaves one to a variable."""
    found = [value for value in _addresses(settings) if value is not None]
    return None if len(found) < len(_addresses(settings)) else ",".join(dict.fromkeys(found))


def _row(client: str, kind: str, settings: Mapping[str, str | None]) -> RegistryClient:
    format_ = _format(settings)
    return RegistryClient(
        client=client,
        kind=kind,
        url=_url(settings),
        serializer=_class(settings, _WRITERS),
        deserializer=_reader(settings),
        format=format_,
        auto_register=_registers(settings.get("auto.register.schemas", "true")),
        login="basic.auth.user.info" in settings,
        credentials_source=settings.get("basic.auth.credentials.source", ""),
        specific_avro_reader=settings.get("specific.avro.reader", ""),
        names_class=None if format_ is None else _CLASS.get(format_) in settings,
    )


def _class(given: Mapping[str, str | None], settings: tuple[str, ...]) -> str | None:
    """The class of the first of these settings that is there; None where a file leaves it to a variable."""
    found = next((given[name] for name in settings if name in given), "")
    return found if found is None else found.rpartition(".")[2]


def _reader(settings: Mapping[str, str | None]) -> str | None:
    """The class that reads values: where Spring's wrapper is named, the one within it, None if no file names that."""
    named = _class(settings, _READERS)
    return _class({_DELEGATE: settings.get(_DELEGATE)}, (_DELEGATE,)) if named == _WRAPPER else named


def _format(settings: Mapping[str, str | None]) -> str | None:
    """The format of the first class that tells one; None if none does and a file leaves one to a variable."""
    classes = [_class(settings, _WRITERS), _reader(settings)]
    found = next((FORMATS[start] for name in classes for start in FORMATS if name and name.startswith(start)), "")
    return found or (None if None in classes else "")


def _registers(value: str | None) -> bool | None:
    return None if value is None else value.strip().lower() == "true"
