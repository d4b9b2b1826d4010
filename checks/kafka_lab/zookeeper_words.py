"""What the lab asks of its own ZooKeeper servers: four-letter words over plain sockets, as with nc."""

import socket
from collections.abc import Iterable
from typing import Final, Protocol

from kafka_lab.processes import Process, condition

LEADER: Final = "leader"
NOT_SERVING: Final = "not serving"

_REFUSES: Final = "not currently serving requests"
_PATIENCE: Final = 5.0


class AnswersWords(Protocol):
    """What is to be known of a server."""

    process: Process | None

    @property
    def address(self) -> str:
        """Host and port for clients."""


def answer_to(server: AnswersWords, word: str) -> str:
    """What a server answers to a word; "" if nothing comes in time."""
    host, _, port = server.address.rpartition(":")
    answer = b""
    try:
        with socket.create_connection((host, int(port)), _PATIENCE) as talk:
            talk.settimeout(_PATIENCE)
            talk.sendall(word.encode())
            while more := talk.recv(65536):
                answer += more
    except OSError:  # refused, reset, or silent
        return ""
    return answer.decode("utf-8", "replace")


def mode(server: AnswersWords) -> str:
    """Whether a server leads, follows, or serves nobody for want of a majority; "" if it does not answer."""
    answer = answer_to(server, "srvr")
    lines = dict(line.split(": ", 1) for line in answer.splitlines() if ": " in line)
    return NOT_SERVING if _REFUSES in answer else lines.get("Mode", "")


def in_sync(servers: Iterable[AnswersWords]) -> int:
    """How many the leader counts, itself included; 0 where nobody serves, -1 while that changes."""
    modes = [(mode(server), server) for server in servers if condition(server.process) == "alive"]
    leaders = [server for stated, server in modes if stated == LEADER]
    if len(leaders) == 1:
        metrics = dict(line.split("\t", 1) for line in answer_to(leaders[0], "mntr").splitlines() if "\t" in line)
        return int(float(metrics.get("zk_synced_followers", -2))) + 1
    return 0 if all(stated == NOT_SERVING for stated, _ in modes) else -1
