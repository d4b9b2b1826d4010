"""Certificates are renewed for as long as they held: from an hour ago, as authorities date back."""

import datetime as dt

from runbook.model import moment
from runbook.model.fact import Fact
from runbook.model.recovery import Situation, changed
from runbook.recoveries._certificates import recovery, shown_by

_DATED_BACK = dt.timedelta(hours=1)


def _certificate(fact: Fact, situation: Situation) -> Fact:
    begins, ends = ([*fact.columns[name]] for name in ("not_before", "not_after"))
    for at, mine in enumerate(shown_by(fact, situation)):
        if mine:
            lifetime = moment.read(ends[at]) - moment.read(begins[at])
            renewed = moment.read(fact.collected_at) - _DATED_BACK if fact.collected_at else None
            begins[at] = moment.written(renewed) if renewed else None
            ends[at] = moment.written(renewed + lifetime) if renewed else None
    return changed(fact, {"not_before": begins, "not_after": ends}, fact.gaps)


RECOVERY = recovery(
    {"tls_certificate": _certificate},
    "Certificates are renewed for as long as they held.",
    "RFC 5280, 4.1.2.5: validity",
    "Let's Encrypt, profiles: certificates are dated back by an hour",
)
