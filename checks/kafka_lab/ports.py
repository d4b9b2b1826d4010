"""Ports for what a lab starts, given to one lab only."""

import json
import random
import socket
import time
from contextlib import ExitStack
from pathlib import Path

from kafka_lab.errors import LabError
from kafka_lab.places import held, write_whole
from runbook.folders import cache_folder

_ALL = range(20000, 32000)
"""Below those that systems give to outgoing connections."""


def free_ports(count: int) -> list[int]:
    """Find ports nobody listens on; those that nobody was given come first, then those given the longest ago.

    When each was given is noted in the user's cache. So labs that start at the same time get different ports, whichever
    processes start them, and a stopped broker's port is still free when it is started again.

    Raises:
        LabError: there are not so many.
    """
    noted = cache_folder() / "ports.json"
    with held(noted.with_suffix(".lock")):
        given = _given(noted)
        chosen = _bound(count, sorted(random.sample(_ALL, len(_ALL)), key=lambda port: given.get(str(port), 0.0)))
        write_whole(noted, json.dumps(given | dict.fromkeys(map(str, chosen), time.time())))
    return chosen


def _given(noted: Path) -> dict[str, float]:
    try:
        noted_ports = json.loads(noted.read_text("ascii"))
        return {str(port): float(when) for port, when in noted_ports.items()}
    except (OSError, ValueError, TypeError, AttributeError):  # nothing was noted yet, or somebody wrote into it
        return {}


def _bound(count: int, ports: list[int]) -> list[int]:
    chosen: list[int] = []
    with ExitStack() as stack:
        for port in ports:
            taken = stack.enter_context(socket.socket())
            try:
                taken.bind(("127.0.0.1", port))
            except OSError:
                continue
            chosen.append(port)
            if len(chosen) == count:
                return chosen
    raise LabError(f"No {count} free ports were found between 20000 and 32000 on 127.0.0.1: stop what listens there")
