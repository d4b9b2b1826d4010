"""Endpoints show certificates that an authority signed which clients trust; by which chain was never seen."""

from runbook.model.fact import Fact
from runbook.model.recovery import Situation
from runbook.recoveries._certificates import recovery, shown_by
from runbook.recoveries._rows import put


def _endpoint(fact: Fact, situation: Situation) -> Fact:
    return put(fact, shown_by(fact, situation), trusted=True, distrust="", shown=None)


def _certificate(fact: Fact, situation: Situation) -> Fact:
    unknown = dict.fromkeys(("issuer", "serial", "fingerprint", "not_before", "not_after", "signature_hash"))
    return put(fact, shown_by(fact, situation), self_signed=False, authority=False, **unknown)


RECOVERY = recovery(
    {"tls_endpoint": _endpoint, "tls_certificate": _certificate},
    "Endpoints show certificates that lead to an authority which clients trust.",
    "RFC 5280, 6: certification path validation",
)
