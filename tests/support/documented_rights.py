"""The ACLs that the page on least rights tells people to set; the guarded broker of the live tests has just these."""

import shlex
from typing import NamedTuple

from runbook.plugins.catalog import catalog
from support.documented import titled

PAGE = "docs/how-to/least-privilege.md"


class Right(NamedTuple):
    """An operation on a kind of resource: "Describe", "topic", "*"."""

    operation: str
    kind: str
    name: str


def documented_rights(title: str = "Rights of the principal") -> list[Right]:
    """What the `kafka-acls.sh` commands under a title of the page allow, in its order."""
    rights = []
    for line in titled(PAGE, title).replace("\\\n", " ").splitlines():
        words = shlex.split(line)
        assert words[0] == "kafka-acls.sh"
        assert "--add" in words
        operations = [words[i + 1] for i, word in enumerate(words) if word == "--operation"]
        [(kind, name)] = [
            (word[2:].replace("-", "_"), "kafka-cluster" if word == "--cluster" else words[i + 1])
            for i, word in enumerate(words)
            if word in {"--topic", "--cluster", "--group", "--transactional-id"}
        ]
        rights += [Right(operation, kind, name) for operation in operations]
    return rights


def kafka_probes() -> list[str]:
    """The probes of Kafka that need nothing but these rights: those that read records wait for more."""
    names = [name for name in catalog("probes").names() if name.startswith("kafka_")]
    declared = {name: catalog("probes").load(name).PROBE for name in names}
    return [
        name for name in names if not any(right.startswith("Read on the topics") for right in declared[name].rights)
    ]
