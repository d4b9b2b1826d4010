"""Which files of a repository configure clients of Kafka: told by the settings that stand in them, never by a name."""

import re
from typing import Final

from runbook.formats.client_files import NoSettingsError, is_env, is_jaas, read_client_file
from runbook.formats.client_files.frameworks import is_framework
from runbook.formats.client_files.spring import is_spring
from runbook.formats.client_files.written import properties_documents
from runbook.formats.setting_names import CLIENT, names
from runbook.model.errors import Garbled

ENDINGS: Final = (".cfg", ".conf", ".config", ".env", ".jaas", ".json", ".login", ".properties", ".yaml", ".yml")
_OF_BROKERS: Final = {"process.roles", "broker.id", "node.id", "zookeeper.connect", "log.dirs", "advertised.listeners"}
# Of Kafka's names those that other software has, too: they alone say nothing.
_SHARED: Final = re.compile(r"[a-z]+$|(client|group)\.id$|(ssl|sasl|security|metrics?|auto|send|receive|metadata)\.")
_SURE: Final = {"auto.offset.reset", "bootstrap.servers", "metadata.broker.list", "sasl.jaas.config", "sasl.mechanism"}
_MENTIONED: Final = re.compile(
    rb"kafka|bootstrap|LoginModule|CONNECT_|connector\.class|(?:de)?serializer|linger|auto\.offset|metadata\.broker|max\.poll|isolation\.level"
    rb"|(?:session|request|delivery)\.timeout|compression\.type|enable\.(?:auto|idem)",
    re.IGNORECASE,
)
_OF_SPRING: Final = re.compile(r"^spring(?:\.kafka|:)", re.MULTILINE)
_IN_YAML: Final = re.compile(
    rb"spring|smallrye|bootstrap|producers|consumers|streams|KAFKA_|CONNECT_|KafkaConnect|\.(?:properties|conf|ya?ml)\s*:"
)
_TEMPLATE: Final = re.compile(r"\{\{|<%|\{%")


def may_configure(content: bytes, path: str) -> bool:
    """Whether a file can hold settings of clients at all, without reading it as what it is."""
    if path.endswith(".json"):
        return b"connector.class" in content
    if path.endswith((".yaml", ".yml")) and not _IN_YAML.search(content):
        return False
    return _MENTIONED.search(content) is not None


def why_not(text: str, path: str) -> str:
    """Why a file configures no clients; empty if it does.

    Raises:
        Garbled: it looks as if it did, and is not what its ending says.
    """
    if is_jaas(text, path):
        return ""
    if path.lower().endswith((".yaml", ".yml", ".json")) or is_env(path):
        return _why_not_read(text, path)
    found = {item.name for document in properties_documents(text, path) for item in document}
    if any(is_spring(name) or is_framework(name) for name in found):
        return ""
    if _OF_BROKERS & found:
        return "a broker's"
    if "clusters" in found and any(name.endswith(".bootstrap.servers") for name in found):
        return ""  # MirrorMaker's
    return "" if any(map(_is_certain, found)) else "no setting of a client"


def _why_not_read(text: str, path: str) -> str:
    try:
        found = {each.name for each in read_client_file(text, path)}
    except NoSettingsError:
        return "YAML without settings of clients"
    except Garbled as error:
        if "kafka" in text and _OF_SPRING.search(text) and not _TEMPLATE.search(text):
            raise
        return f"a template, to be rendered first ({error})" if _TEMPLATE.search(text) else f"not readable ({error})"
    if path.endswith(".json"):
        return "" if "connector.class" in found else "JSON that is no connector's"
    return "" if found else "no setting of a client"


def _is_certain(name: str) -> bool:
    return name in _SURE or (name in _known() and not _SHARED.match(name))


def _known() -> frozenset[str]:
    return frozenset(name for kind in CLIENT for of in names()[kind].values() for name in of)
