"""Words in capitals in a procedure's commands that no walk fills in, nor names as left open."""

import re
from collections.abc import Iterator
from typing import Final

from runbook.lint.commands import holds_a_body
from runbook.model.block import Procedure
from runbook.model.errors import Problem, near_names
from runbook.parse.runbook import Runbook
from runbook.procedure.placeholders import ADDRESSES, NAMES, without_placeholders

# What Kafka and its tools themselves write in capitals, in what stands behind one of them.
_CONSTANTS: Final = frozenset(
    word
    for line in (
        "ALL FATAL ERROR WARN INFO DEBUG TRACE OFF TRUE FALSE NONE UTC NOW",
        "PLAINTEXT SSL SASL_PLAINTEXT SASL_SSL PLAIN GSSAPI OAUTHBEARER JKS PEM PKCS12 BCFKS DNS IP TLS SASL SCRAM",
        "PREFERRED UNCLEAN ANY MATCH LITERAL PREFIXED ALLOW DENY READ WRITE CREATE DELETE ALTER DESCRIBE USAGE",
        "CLUSTER_ACTION DESCRIBE_CONFIGS ALTER_CONFIGS IDEMPOTENT_WRITE CREATE_TOKENS DESCRIBE_TOKENS TWO_PHASE_COMMIT",
        "CLASSIC CONSUMER SHARE STREAMS STABLE EMPTY DEAD ASSIGNING RECONCILING",
        "UPGRADE SAFE_DOWNGRADE UNSAFE_DOWNGRADE",
        "GET PUT POST PATCH HEAD RUNNING PAUSED STOPPED FAILED READONLY READWRITE READONLY_OVERRIDE IMPORT",
        "AVRO JSON PROTOBUF BACKWARD FORWARD FULL BACKWARD_TRANSITIVE FORWARD_TRANSITIVE FULL_TRANSITIVE",
        "GZIP SNAPPY LZ4 ZSTD CONTROLLER EXTERNAL INTERNAL REPLICATION CLIENT",
    )
    for word in line.split()
)
_MEANT: Final = {
    "HOST:PORT": ("BOOTSTRAP", "BOOTSTRAP_SERVER", "BOOTSTRAP_SERVERS", "BROKER", "BROKER_LIST", "HOST", "KAFKA"),
    "ZOOKEEPER:PORT": ("ZK", "ZOOKEEPER", "ZK_HOST", "ZOOKEEPER_CONNECT"),
    "CONTROLLER:PORT": ("CONTROLLERS", "BOOTSTRAP_CONTROLLER", "CONTROLLER_HOST"),
    "http://WORKER:8083": ("CONNECT", "CONNECT_URL", "WORKER"),
    "$REGISTRY": ("SCHEMA_REGISTRY", "REGISTRY", "REGISTRY_URL"),
    "ID": ("BROKER_ID", "NODE_ID"),
    "NAME": ("USER", "USERNAME", "CONNECTOR"),
    "TOPIC": ("TOPIC_NAME", "TOPICS"),
    "PARTITION": ("N", "P"),
    "GROUP": ("GROUP_ID", "CONSUMER_GROUP"),
    "ENVIRONMENT": ("ENV", "CLUSTER"),
}
_LIKELY: Final = {word: known for known, words in _MEANT.items() for word in words}
_APART: Final = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|(?:^|(?<=\s))#[^\n]*|\$\{[^}]*\}|\$\w+|\\\n")
"""What a shell reads apart: quoted texts, remarks, variables; and where a line goes on."""
_COMMANDS: Final = re.compile(r"[|&;()`\n]+")
_TOOL: Final = re.compile(r"(?:.*/)?(?:kafka|connect|zookeeper)-[a-z-]+(?:\.sh|\.bat)?|runbook")
_WORD: Final = re.compile(
    r"(?<![\w.$%@~*+-])(?:[A-Z][A-Z0-9_]*)?[A-Z][0-9]*(?::(?:PORT\b|\d+))?(?![\w.~=(*-])", re.ASCII
)
_ADDRESS: Final = re.compile(r"(?<![\w.$%@~-])[A-Z][A-Z0-9_]*[A-Z0-9]:(?:PORT|\d{2,5})(?![\w.~-])", re.ASCII)
_INERT: Final = "~"


def unknown_words(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each word in capitals of a step's command that looks left open and that no walk knows.

    Behind one of Kafka's tools, or this one, it is any word but what Kafka itself writes so; elsewhere an address
    alone, as other tools have words of their own. What stands in quotes is meant as it stands.
    """
    for placed in book.placed():
        for i, step in enumerate(placed.block.steps if isinstance(placed.block, Procedure) else ()):
            for word in dict.fromkeys(_unknown(step.command or "")):
                yield Problem(
                    placed.document.place(("steps", i, "command")),
                    f"{word} is no word that a walk fills in, in {placed.name}",
                    f"{_meant(word)}; or, where it is meant as it stands, put it in quotes",
                )


def _unknown(text: str) -> Iterator[str]:
    if holds_a_body(text):
        return
    plain = _APART.sub(lambda found: " " if found[0] == "\\\n" else _INERT, without_placeholders(text, _INERT))
    for command in _COMMANDS.split(plain):
        words = re.split(r"[\s<>]+", command)
        tool = next((i for i, word in enumerate(words) if _TOOL.fullmatch(word)), len(words))
        for i, word in enumerate(words):
            for found in (_WORD if i > tool else _ADDRESS).finditer(word):
                if found[0].partition(":")[0] not in _CONSTANTS:
                    yield found[0]


def _meant(word: str) -> str:
    name = word.partition(":")[0]
    known = [*ADDRESSES, *NAMES]
    likely = _LIKELY.get(name) or ("HOST:PORT" if ":" in word else "")
    near = [likely] if likely else near_names(name, known)
    asked = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{asked}known: {', '.join(known)}"
