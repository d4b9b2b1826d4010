"""Which files of a repository configure clients of Kafka: told by the settings that stand in them, never by a name."""

import re
from typing import Final

from runbook.formats.client_files import is_jaas
from runbook.formats.client_files.spring import is_spring
from runbook.formats.client_files.written import flat, properties_documents, yaml_documents
from runbook.formats.setting_names import CLIENT, names
from runbook.model.errors import Garbled

ENDINGS: Final = (".cfg", ".conf", ".config", ".jaas", ".json", ".login", ".properties", ".yaml", ".yml")
_OF_BROKERS: Final = {"process.roles", "broker.id", "node.id", "zookeeper.connect", "log.dirs", "advertised.listeners"}
# Of Kafka's names those that other software has, too: they alone say nothing.
_SHARED: Final = re.compile(r"[a-z]+$|(client|group)\.id$|(ssl|sasl|security|metrics?|auto|send|receive|metadata)\.")
_SURE: Final = {"auto.offset.reset", "bootstrap.servers", "metadata.broker.list", "sasl.jaas.config", "sasl.mechanism"}
_MENTIONED: Final = re.compile(
    rb"kafka|bootstrap|LoginModule|connector\.class|(?:de)?serializer|linger|auto\.offset|metadata\.broker|max\.poll|isolation\.level"
    rb"|(?:session|request|delivery)\.timeout|compression\.type|enable\.(?:auto|idem)",
    re.IGNORECASE,
)
_OF_SPRING: Final = re.compile(r"^spring(?:\.kafka|:\s*$[\s\S]{0,9999}^\s+kafka:)", re.MULTILINE)
_TEMPLATE: Final = re.compile(r"\{\{|<%|\{%")


def may_configure(content: bytes) -> bool:
    """Whether a file can hold settings of clients at all, without reading it as what it is."""
    return _MENTIONED.search(content) is not None


def why_not(text: str, path: str) -> str:
    """Why a file configures no clients; empty if it does.

    Raises:
        Garbled: it looks as if it did, and is not what its ending says.
    """
    ending = path.rpartition(".")[2].lower()
    if is_jaas(text, path):
        return ""
    if ending not in ("yaml", "yml", "json"):
        return _why_no_properties({item.name for document in properties_documents(text, path) for item in document})
    try:
        found = {item.name for document in yaml_documents(text, path) for item in flat(document)}
    except Garbled as error:
        if _OF_SPRING.search(text) and not _TEMPLATE.search(text):
            raise
        return f"a template, to be rendered first ({error})" if _TEMPLATE.search(text) else f"not readable ({error})"
    if any(map(is_spring, found)) or (ending == "json" and {"connector.class", "config.connector.class"} & found):
        return ""
    return "JSON that is no connector's" if ending == "json" else "YAML without settings of a framework for Kafka"


def _why_no_properties(found: set[str]) -> str:
    if any(map(is_spring, found)):
        return ""
    if _OF_BROKERS & found:
        return "a broker's"
    return "" if any(map(_is_certain, found)) else "no setting of a client"


def _is_certain(name: str) -> bool:
    return name in _SURE or (name in _known() and not _SHARED.match(name))


def _known() -> frozenset[str]:
    return frozenset(name for kind in CLIENT for of in names()[kind].values() for name in of)
