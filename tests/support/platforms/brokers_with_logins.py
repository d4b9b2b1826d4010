"""Brokers with encryption, logins and rights: a lab."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import recorded

WHAT: Final = "Kafka 4.3 in KRaft, three brokers in three zones, SASL_SSL and mutual TLS, ACLs and quotas"
MADE_BY: Final = "the lab (secure/guarded-as-it-should-be/well of 2026-11-26)"
RUNBOOKS: Final = ("ha", "security")
MENDED_BY: Final[dict[str, str]] = {}


def bundle() -> Bundle:
    """Its facts."""
    return recorded("brokers_with_logins")
