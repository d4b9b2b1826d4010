"""By which address the tools of Kafka reach a cluster, as the inventory has it, for commands that people paste."""

import shlex
from typing import Final

from runbook.parse.inventory import Target

_TO_FILL_IN: Final = "--bootstrap-server HOST:PORT"


def bootstrap_of(target: Target) -> str:
    """The servers to begin with, with commas between; empty where the inventory does not tell them in plain words."""
    servers = target.connections.get("kafka", {}).get("bootstrap.servers", "")
    return servers.replace(" ", "") if isinstance(servers, str) else ""


def addressed(text: str, target: Target) -> str:
    """A text whose commands ask the cluster of an environment, where its address can stand there as it is."""
    servers = bootstrap_of(target)
    if "@" in servers or shlex.quote(servers) != servers:
        return text
    return text.replace(_TO_FILL_IN, _TO_FILL_IN.replace("HOST:PORT", servers))
