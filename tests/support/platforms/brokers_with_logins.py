"""Brokers with encryption, logins and rights: a lab."""

from typing import Final

from runbook.evidence.bundle import Bundle
from support.platforms import kept

WHAT: Final = "Kafka 4.3 in KRaft, three brokers in three zones, SASL_SSL and mutual TLS, ACLs and quotas"
MADE_BY: Final = "the lab (secure/guarded-as-it-should-be/well)"
RUNBOOKS: Final = ("ha", "security")
MENDED_BY: Final[dict[str, str]] = {}
CHANCE: Final = dict.fromkeys(
    ("leaders-are-the-preferred-ones", "work-is-spread-evenly"),
    "earlier scenes restart brokers, and this lab does not bring leaders back",
)


def bundle() -> Bundle:
    """Its facts."""
    return kept("secure", "guarded-as-it-should-be", "well")
