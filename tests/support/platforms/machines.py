"""Brokers on Linux hosts of their own, started by systemd or by hand: a lab, looked at over SSH."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import as_the_page_says, recorded

WHAT: Final = "Kafka 4.3 in KRaft on three Linux hosts, over SSH"
MADE_BY: Final = "the lab (hosts/stop-broker/before of 2026-11-24)"
RUNBOOKS: Final = ("os-hardware",)
MENDED_BY: Final = {
    "replication-has-a-network-of-its-own": "inter.broker.listener.name and a second interface",
}


def bundle() -> Bundle:
    """Its facts."""
    seen = recorded("machines")
    [environment] = seen.environments.values()
    return as_the_page_says(seen, "machines", params=environment.params)
