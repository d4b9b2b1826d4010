"""What applications deploy to configure their Kafka clients, read as one: settings by client kind, with their places.

Java properties (also of Connect workers, MirrorMaker and Streams), librdkafka's properties, Spring Boot's YAML and
properties, and the JSON of connectors.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from runbook.formats.client_files.setting import SettingOfClient, setting
from runbook.formats.client_files.spring import PREFIX, is_spring, profiles, spring_settings
from runbook.formats.client_files.written import Settings, flat, properties_documents, yaml_documents
from runbook.formats.jaas_grammar import file_mistake
from runbook.model.errors import Garbled
from runbook.safety.secret import HIDDEN

__all__ = ["DeployedFile", "SettingOfClient", "is_jaas", "read_client_file", "read_client_files"]

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
# What a file of logins has: a module with its flag, in a section.
_LOGIN = re.compile(r"LoginModule[ \t\r\n]+(?:required|requisite|sufficient|optional)\b", re.IGNORECASE)
_SECTION = re.compile(r"^[ \t]*[\w.$-]+[ \t]*\{", re.MULTILINE)
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


class DeployedFile(NamedTuple):
    """A file of a client: its path, whose ending tells what is in it, its text, and its profile, if it is of one."""

    path: str
    text: str
    profile: str = ""


def read_client_file(text: str, path: str, kind: str = "") -> list[SettingOfClient]:
    """Read the settings in one file, as `read_client_files` does.

    Raises:
        Garbled: it is not what its ending says.
    """
    return read_client_files([DeployedFile(path, text)], kind)


def read_client_files(files: Sequence[DeployedFile], kind: str = "") -> list[SettingOfClient]:
    """Read the settings in the files of one client; where a name is there twice the last one is given last.

    Args:
        files: later ones come before earlier ones.
        kind: of client, if known from elsewhere.

    Raises:
        Garbled: one is not what its ending says.
    """
    found: list[SettingOfClient] = []
    of_spring: list[tuple[str, Settings]] = []
    for file in files:
        if is_jaas(file.text, file.path):
            found.append(_logins(file))
            continue
        documents = [*_documents(file)]
        if any(is_spring(item.name) for document in documents for item in document):
            of_spring += [(file.profile, document) for document in documents]
        elif file.path.lower().endswith((".yaml", ".yml")):
            raise Garbled(f"{file.path} has no {PREFIX.rstrip('.')}: of YAML files Spring Boot's are understood")
        else:
            found += [each for document in documents for each in _properties(document, file, kind)]
    for profile, chosen in profiles(of_spring):
        found += [structs.replace(each, client=profile) for each in spring_settings(chosen, kind)]
    return found


def is_jaas(text: str, path: str) -> bool:
    """Whether a file is one of logins, which Java reads by -Djava.security.auth.login.config."""
    if path.lower().endswith((".yaml", ".yml", ".json", ".properties")):
        return False
    return _LOGIN.search(text) is not None and _SECTION.search(text) is not None


def _logins(file: DeployedFile) -> SettingOfClient:
    """A file of logins as the one setting that it is: nothing of it is handed on but whether Java can read it."""
    at = _SECTION.search(file.text)
    line = file.text.count("\n", 0, at.start()) + 1 if at else 1
    made = setting("", "java.security.auth.login.config", "", line)
    plain = setting("", "sasl.jaas.config", file.text, line).plain
    return structs.replace(made, value=HIDDEN, file=file.path, plain=plain, refused=file_mistake(file.text))


def _documents(file: DeployedFile) -> Iterator[Settings]:
    """What a file says, document by document."""
    ending = file.path.rpartition(".")[2].lower()
    if ending not in ("yaml", "yml", "json"):
        yield from properties_documents(file.text, file.path)
        return
    for document in yaml_documents(file.text, file.path):
        if not isinstance(document.value, dict):
            raise Garbled(f"{file.path} holds no settings: it must be a mapping")
        config = ending == "json" and isinstance(document.value.get("config"), dict)  # as Connect's interface takes it
        yield [*flat(document, ("config",) if config else ())]


def _properties(written: Settings, file: DeployedFile, kind: str) -> Iterator[SettingOfClient]:
    names = {setting("", item.name, "", 0).name for item in written}
    if file.path.lower().endswith(".json"):
        kind = "connect"
    elif not kind and ("clusters" in names or any("->" in name for name in names)):
        kind = "mirrormaker"
    kind = kind or next((of for name, of in _TELLTALES.items() if name in names), "")
    for item in written:
        prefix = next((p for p in _WITHIN if item.name.startswith(p)), "") if kind in _FRAMEWORKS else ""
        made = setting(_WITHIN.get(prefix, kind), item.name.removeprefix(prefix), item.value, item.line)
        yield structs.replace(made, column=item.column, file=item.file)
