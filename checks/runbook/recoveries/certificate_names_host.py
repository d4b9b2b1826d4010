"""Endpoints show certificates that are for the host by which they are reached."""

from runbook.model.fact import Fact
from runbook.model.recovery import Situation, changed
from runbook.recoveries._certificates import recovery, shown_by


def _certificate(fact: Fact, situation: Situation) -> Fact:
    names, match = [*fact.columns["names"]], [*fact.columns["names_match"]]
    for at, mine in enumerate(shown_by(fact, situation)):
        if mine:
            names[at], match[at] = [*names[at], fact.columns["host"][at]], True
    return changed(fact, {"names": names, "names_match": match}, fact.gaps)


RECOVERY = recovery(
    {"tls_certificate": _certificate},
    "Endpoints show certificates that are for the host by which they are reached.",
    "RFC 9525: the names of a certificate that a client compares with the host",
)
