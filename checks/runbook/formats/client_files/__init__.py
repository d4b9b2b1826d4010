"""What applications deploy to configure their Kafka clients, read as one: settings by client kind, with their places.

Java properties (also of Connect workers, MirrorMaker and Streams), librdkafka's properties, application files of Spring
Boot, Quarkus and Micronaut, the JSON of connectors, files of logins, and environment variables.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from runbook.formats.client_files.environment import (
    client_settings,
    files_within,
    variables_of_file,
    variables_within,
)
from runbook.formats.client_files.frameworks import framework_settings, is_framework
from runbook.formats.client_files.setting import SettingOfClient, credential, setting
from runbook.formats.client_files.spring import is_spring, profiles, spring_settings
from runbook.formats.client_files.written import Settings, flat, properties_documents, yaml_documents
from runbook.formats.jaas_grammar import file_mistake
from runbook.model.errors import Garbled
from runbook.parse.yaml_document import Document
from runbook.safety.secret import HIDDEN

__all__ = [
    "DeployedFile",
    "NoSettingsError",
    "SettingOfClient",
    "is_env",
    "is_jaas",
    "read_client_file",
    "read_client_files",
]

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
_OF_STRIMZI = ("KafkaConnect", "KafkaConnector")
_TREES = (".yaml", ".yml", ".json")
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


class NoSettingsError(Garbled):
    """A YAML file that is sound, and configures no client."""


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


def read_client_files(files: Sequence[DeployedFile], kind: str = "", *, inner: bool = True) -> list[SettingOfClient]:
    """Read the settings in the files of one client; where a name is there twice the last one is given last.

    Args:
        files: later ones come before earlier ones.
        kind: of client, if known from elsewhere.
        inner: whether files within these files are read, too.

    Raises:
        Garbled: one is not what its ending says.
    """
    found: list[SettingOfClient] = []
    of_spring: list[tuple[str, Settings]] = []
    of_others: list[Settings] = []
    for file in files:
        if is_jaas(file.text, file.path):
            found.append(_logins(file))
            continue
        known = len(found), len(of_spring), len(of_others)
        trees = [*yaml_documents(file.text, file.path)] if file.path.lower().endswith(_TREES) else []
        documents = [*_documents(file, trees)]
        names = [item.name for document in documents for item in document]
        if any(map(is_spring, names)):
            of_spring += [(file.profile, document) for document in documents]
        elif any(map(is_framework, names)):
            under = f"%{file.profile}." if file.profile else ""
            of_others += [[item._replace(name=under + item.name) for item in document] for document in documents]
        elif not is_yaml(file.path) and not is_env(file.path):
            found += [each for document in documents for each in _properties(document, file, kind)]
        found += _within(file, trees if inner else [], kind)
        if is_yaml(file.path) and known == (len(found), len(of_spring), len(of_others)):
            raise NoSettingsError(f"{file.path} has no settings of a framework for Kafka, and no variables of clients")
    for profile, chosen in profiles(of_spring):
        found += [structs.replace(each, client=profile) for each in spring_settings(chosen, kind)]
    return found + framework_settings(of_others)


def is_yaml(path: str) -> bool:
    """Whether a file is YAML, by its ending."""
    return path.lower().endswith((".yaml", ".yml"))


def is_env(path: str) -> bool:
    """Whether a file sets environment variables, by its name: .env, .env.prod, prod.env."""
    name = path.rpartition("/")[2]
    return name.startswith(".env") or name.endswith(".env")


def _within(file: DeployedFile, trees: Sequence[Document], kind: str) -> Iterator[SettingOfClient]:
    """What clients are given by variables, and by files within a file."""
    if is_env(file.path):
        yield from _of_variables(variables_of_file(file.text, file.path), file, "", kind)
    for document in trees if is_yaml(file.path) else ():
        yield from _of_strimzi(document, file)
        for name, variables in variables_within(document):
            yield from _of_variables(variables, file, name, kind)
        for name, text, above in files_within(document):
            inner = _of_inner_file(text, name, kind)
            yield from (structs.replace(each, file=file.path, line=above + each.line, client=name) for each in inner)


def _of_strimzi(document: Document, file: DeployedFile) -> Iterator[SettingOfClient]:
    """The settings of a connector, or of workers, that Strimzi's operator makes of a manifest."""
    value = document.value
    if not isinstance(value, dict) or value.get("kind") not in _OF_STRIMZI:
        return
    if not str(value.get("apiVersion")).startswith("kafka.strimzi.io/"):
        return
    spec, metadata = value.get("spec"), value.get("metadata")
    if isinstance(spec, dict) and isinstance(spec.get("config"), dict):
        name = metadata.get("name", "") if isinstance(metadata, dict) else ""
        found = _properties([*flat(document, ("spec", "config"))], file, "connect")
        yield from (structs.replace(each, client=f"{value['kind']} {name}".strip()) for each in found)


def _of_inner_file(text: str, name: str, kind: str) -> list[SettingOfClient]:
    """The settings of a file that stands in another one; none where it configures no client, or is a template."""
    try:
        found = read_client_files([DeployedFile(name, text)], kind, inner=False)
    except Garbled:
        return []
    return found if any(each.kind or each.name == "bootstrap.servers" for each in found) else []


def _of_variables(variables: Settings, file: DeployedFile, name: str, kind: str) -> list[SettingOfClient]:
    found: list[SettingOfClient] = []
    for number, (framework, settings) in enumerate(client_settings(variables)):
        read = (
            spring_settings([settings], kind)
            if framework == "spring"
            else _properties(settings, file, framework or kind)
        )
        client = f"{name}, {framework or 'KAFKA_'}".removeprefix(", ") if number else name
        found += [structs.replace(each, client=client) for each in read]
    return found


def is_jaas(text: str, path: str) -> bool:
    """Whether a file is one of logins, which Java reads by -Djava.security.auth.login.config."""
    if is_yaml(path) or path.lower().endswith((".json", ".properties")):
        return False
    return _LOGIN.search(text) is not None and _SECTION.search(text) is not None


def _logins(file: DeployedFile) -> SettingOfClient:
    """A file of logins as the one setting that it is: nothing of it is handed on but whether Java can read it."""
    plain = setting("", "sasl.jaas.config", file.text, 1).plain
    at = credential(file.text) if plain else _SECTION.search(file.text)
    line = file.text.count("\n", 0, at.start()) + 1 if at else 1
    made = setting("", "java.security.auth.login.config", "", line)
    return structs.replace(made, value=HIDDEN, file=file.path, plain=plain, refused=file_mistake(file.text))


def _documents(file: DeployedFile, trees: Sequence[Document]) -> Iterator[Settings]:
    """What a file says, document by document."""
    if is_env(file.path):
        return
    if not file.path.lower().endswith(_TREES):
        yield from properties_documents(file.text, file.path)
    for document in trees:
        if not isinstance(document.value, dict):
            raise Garbled(f"{file.path} holds no settings: it must be a mapping")
        config = not is_yaml(file.path) and isinstance(document.value.get("config"), dict)
        yield [*flat(document, ("config",) if config else ())]  # as Connect's interface takes it


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
