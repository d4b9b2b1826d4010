"""ZooKeeper: the questions there are, and whom its nodes let do what.

Each question is known by a four-letter word and by commands of the admin server; all only read.
"""

from typing import Any, Final

from msgspec import Struct


class ServerQuestion(Struct, frozen=True):
    """One question: its word, and the commands of the admin server that together tell the same."""

    word: str
    commands: tuple[str, ...]


STATE: Final = ServerQuestion("srvr", ("server_stats",))
MONITOR: Final = ServerQuestion("mntr", ("monitor",))
CONFIGURATION: Final = ServerQuestion("conf", ("configuration", "voting_view"))
CLIENTS: Final = ServerQuestion("cons", ("connections",))

QUESTIONS: Final = (STATE, MONITOR, CONFIGURATION, CLIENTS)


def reads(question: ServerQuestion) -> tuple[str, ...]:
    """What is sent for a question, as published."""
    word = f"the four-letter word {question.word} to {{server}}"
    return (word, *(f"GET {{admin}}/commands/{command}" for command in question.commands))


def right(question: ServerQuestion) -> str:
    """What a server has to allow for it."""
    return f"ZooKeeper: {question.word} in 4lw.commands.whitelist, or the admin server"


SESSION: Final = ("ZooKeeper createSession to {server}", "ZooKeeper closeSession to {server}")
GET_ACL: Final = "ZooKeeper getACL of {path} to {server}"
NODES: Final = (
    "/admin",
    "/brokers",
    "/brokers/ids",
    "/brokers/topics",
    "/cluster",
    "/config",
    "/config/brokers",
    "/config/topics",
    "/config/users",
    "/controller",
    "/controller_epoch",
    "/delegation_token",
    "/delegation_token/tokens",
    "/feature",
    "/kafka-acl",
    "/kafka-acl-changes",
    "/kafka-acl-extended",
)
"""The nodes that Kafka keeps for good, below its chroot (kafka.zk.ZkData: persistent, secure and sensitive paths).

Not /consumers: Kafka leaves it open to all on purpose, for consumers of before 0.9 that write there.
"""
CREDENTIALS: Final = ("/config/brokers", "/config/users", "/delegation_token/tokens")
"""Those that hold credentials, which Kafka itself lets nobody else read (kafka.zk.ZkData: SensitiveRootPaths)."""

READS: Final = (*(word for question in QUESTIONS for word in reads(question)), *SESSION, GET_ACL)
"""Everything a connection sends."""


def described(request: str) -> dict[str, Any]:
    """A request as its four letters, as HTTP has it, or as ZooKeeper's own protocol calls it."""
    if request in (*SESSION, GET_ACL):
        return {"request": request.split()[1]} | ({"paths": list(NODES)} if request == GET_ACL else {})
    if request.startswith("GET "):
        return {"method": "GET", "path": request.removeprefix("GET {admin}")}
    return {"word": next(question.word for question in QUESTIONS if request in reads(question))}


class AclEntry(Struct, frozen=True):
    """One entry of an ACL: a scheme such as world, sasl, x509 or digest, who it names, and what these may."""

    scheme: str
    who: str
    rights: tuple[str, ...]


class Znode(Struct, frozen=True):
    """A node: whether it is there, and its ACL; None where the ACL is for those only who log in."""

    path: str
    exists: bool
    entries: tuple[AclEntry, ...] | None
