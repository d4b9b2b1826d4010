"""Every request of the Kafka protocol that a connection may make, and the ACLs that allow these and no others."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from runbook.connections.kafka.writes import ACLS, CONSENT, WRITES

KEYS: Final = {
    "ApiVersions": 18,
    "ConsumerGroupDescribe": 69,
    "DescribeAcls": 29,
    "DescribeClientQuotas": 48,
    "DescribeCluster": 60,
    "DescribeConfigs": 32,
    "DescribeGroups": 15,
    "DescribeLogDirs": 35,
    "DescribeProducers": 61,
    "DescribeQuorum": 55,
    "DescribeShareGroupOffsets": 90,
    "DescribeTopicPartitions": 75,
    "DescribeTransactions": 65,
    "DescribeUserScramCredentials": 50,
    "Fetch": 1,
    "FindCoordinator": 10,
    "ListConfigResources": 74,
    "ListGroups": 16,
    "ListOffsets": 2,
    "ListPartitionReassignments": 46,
    "ListTransactions": 66,
    "Metadata": 3,
    "OffsetFetch": 9,
    "OffsetForLeaderEpoch": 23,
    "SaslAuthenticate": 36,
    "SaslHandshake": 17,
    "ShareGroupDescribe": 77,
    "StreamsGroupDescribe": 89,
}
"""The names and numbers of the protocol; none of them changes anything. OffsetForLeaderEpoch is what a reader of
records asks by itself when a partition gets another leader."""

READS: Final = tuple(KEYS)

READS_RECORDS: Final = frozenset({"Fetch"})
"""Requests whose answers hold records; they are made of topics under the environment's `may_read:` only."""

_RIGHT = re.compile(r"(Describe|DescribeConfigs) on (?:all |the )*(topic|cluster|group|transactional id)s?")
_RESOURCES = {
    "topic": "--topic '*'",
    "cluster": "--cluster",
    "group": "--group '*'",
    "transactional id": "--transactional-id '*'",
}


def described(request: str) -> dict[str, Any]:
    """A request in the words of its protocol; `records` and `only` name what must allow some of them."""
    if request in WRITES:
        return {"api": request, "key": WRITES[request], "only": CONSENT}
    return {"api": request, "key": KEYS[request]} | ({"records": "may_read"} if request in READS_RECORDS else {})


def operations(rights: Iterable[str]) -> dict[str, list[str]]:
    """The operations that rights name, by the kind of resource; of "A or B" both."""
    named = [
        (match[2], match[1])
        for right in rights
        for match in _RIGHT.finditer(right.replace("or on all", "or Describe on all"))
    ]
    return {kind: sorted({operation for of, operation in named if of == kind}) for kind in _RESOURCES}


def artefacts(rights: Sequence[str]) -> dict[str, str]:
    """The commands that give a principal these rights, for `kafka-acls.sh`."""
    lines = []
    for kind, allowed in operations(rights).items():
        if allowed:
            given = " ".join(f"--operation {operation}" for operation in allowed)
            lines += [
                "kafka-acls.sh --bootstrap-server HOST:PORT --command-config admin.properties --add \\",
                f"  --allow-principal User:runbook {given} {_RESOURCES[kind]}",
            ]
    return {"kafka-acls": "\n".join(lines) + "\n", "kafka-canary-acls": ACLS}
