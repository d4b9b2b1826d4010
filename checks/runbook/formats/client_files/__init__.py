"""What applications deploy to configure their Kafka clients, read as one: settings by client kind, with their lines.

Java properties (also of Connect workers, MirrorMaker and Streams), librdkafka's properties, Spring Boot's YAML and
properties, and the JSON of connectors.
"""

from collections.abc import Iterator
from typing import Any

from runbook.formats.client_files.setting import SettingOfClient, setting
from runbook.formats.client_files.spring import PREFIX, WrittenSetting, spring_settings
from runbook.formats.java_properties import read_properties
from runbook.model.errors import Garbled, Invalid
from runbook.parse.yaml_document import Document, Path, read_yaml

__all__ = ["SettingOfClient", "read_client_file"]

# Clients within a framework: the prefix of their settings, and their kind.
_WITHIN = {
    "producer.override.": "producer",
    "consumer.override.": "consumer",
    "admin.override.": "admin",
    "main.consumer.": "consumer",
    "producer.": "producer",
    "consumer.": "consumer",
    "admin.": "admin",
}
_FRAMEWORKS = ("connect", "streams")
# A setting that only one kind of client has.
_TELLTALES = {
    "application.id": "streams",
    "connector.class": "connect",
    "key.converter": "connect",
    "offset.storage.topic": "connect",
    "key.serializer": "producer",
    "acks": "producer",
    "linger.ms": "producer",
    "transactional.id": "producer",
    "enable.idempotence": "producer",
    "key.deserializer": "consumer",
    "group.id": "consumer",
    "auto.offset.reset": "consumer",
}


def read_client_file(text: str, path: str, kind: str = "") -> list[SettingOfClient]:
    """Read the settings in a file; where a name is there twice the last one is given last.

    Args:
        text: its content.
        path: by whose ending it is told what it is.
        kind: of client, if known from elsewhere.

    Raises:
        Garbled: it is not what its ending says.
    """
    ending = path.rpartition(".")[2].lower()
    if ending in ("yaml", "yml"):
        written = [setting for part in _documents(text) for setting in _flat(_yaml(part[1], path, part[0]), ())]
        if not any(item.name.startswith(PREFIX) for item in written):
            raise Garbled(f"{path} has no {PREFIX.rstrip('.')}: of YAML files Spring Boot's are understood")
        return spring_settings(written, kind)
    if ending == "json":
        return list(_connector(_yaml(text, path, 1)))
    written = [WrittenSetting(name=entry.name, value=entry.value, line=entry.line) for entry in read_properties(text)]
    if any(item.name.startswith(PREFIX) for item in written):
        return spring_settings(written, kind)
    return list(_properties(written, kind))


def _properties(written: list[WrittenSetting], kind: str) -> Iterator[SettingOfClient]:
    names = {setting("", item.name, "", 0).name for item in written}
    if not kind and ("clusters" in names or any("->" in name for name in names)):
        kind = "mirrormaker"
    kind = kind or next((of for name, of in _TELLTALES.items() if name in names), "")
    for item in written:
        prefix = next((p for p in _WITHIN if item.name.startswith(p)), "") if kind in _FRAMEWORKS else ""
        yield setting(_WITHIN.get(prefix, kind), item.name.removeprefix(prefix), item.value, item.line)


def _connector(document: Document) -> Iterator[SettingOfClient]:
    """The settings of a connector: under `config`, as the REST interface takes them, or bare."""
    inner: Path = ("config",) if isinstance(document.value.get("config"), dict) else ()
    return _properties([*_flat(document, inner)], "connect")


def _yaml(text: str, path: str, line: int) -> Document:
    """Read YAML, of which JSON is a part.

    Raises:
        Garbled: it is none, or no mapping.
    """
    try:
        document = read_yaml(text, path, line=line)
    except Invalid as invalid:
        raise Garbled(f"{path} can't be read: {invalid.problems[0]}") from None
    if document.value is None:
        return Document({}, document.start, {}, {})
    if not isinstance(document.value, dict):
        raise Garbled(f"{path} holds no settings: it must be a mapping")
    return document


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """The documents of a YAML file, each with its first line; the last one that sets something holds."""
    begin, lines = 1, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.rstrip() == "---":
            yield begin, "\n".join(lines)
            begin, lines = number + 1, []
        else:
            lines.append(line)
    yield begin, "\n".join(lines)


def _flat(document: Document, inner: Path) -> Iterator[WrittenSetting]:
    """Every value with its path as a name with dots."""
    value: Any = document.value
    for part in inner:
        value = value[part]
    yield from _walk(document, value, inner, "")


def _walk(document: Document, value: Any, path: Path, name: str) -> Iterator[WrittenSetting]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(document, inner, (*path, key), f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _walk(document, inner, (*path, place), f"{name}[{place}]")
    else:
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        yield WrittenSetting(name=name, value=text, line=document.place(path).line)
