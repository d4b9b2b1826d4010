"""The questions there are. Each is known by a four-letter word and by commands of the admin server; all only read."""

from typing import Any, Final

from msgspec import Struct

from runbook.connections.zookeeper.tree import GET_ACL, NODES, SESSION


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


READS: Final = (*(word for question in QUESTIONS for word in reads(question)), *SESSION, GET_ACL)
"""Everything a connection sends."""


def described(request: str) -> dict[str, Any]:
    """A request as its four letters, as HTTP has it, or as ZooKeeper's own protocol calls it."""
    if request in (*SESSION, GET_ACL):
        return {"request": request.split()[1]} | ({"paths": list(NODES)} if request == GET_ACL else {})
    if request.startswith("GET "):
        return {"method": "GET", "path": request.removeprefix("GET {admin}")}
    return {"word": next(question.word for question in QUESTIONS if request in reads(question))}
