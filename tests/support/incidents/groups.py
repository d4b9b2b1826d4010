"""What is wrong with who writes and reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.breaking import in_force
from kafka_lab.rights import remove_default_quotas, set_default_quotas
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from support.incidents.incident import Asked, Incident

_TRANSACTION = "hanging-transaction"
_LIMIT = {"producer_byte_rate": 50}


@contextmanager
def _open_transaction(lab: LabState) -> Iterator[Asked]:
    home = Path(lab.folder).parent
    labs.break_(lab.name, _TRANSACTION, home=home)
    broken = known(lab.name, home)
    wait_until(lambda: all(in_force(broken, _TRANSACTION).values()), "the reader to stand", within=240)
    yield Asked()


@contextmanager
def _quota(lab: LabState) -> Iterator[Asked]:
    set_default_quotas(lab, _LIMIT)
    try:
        yield Asked()
    finally:
        remove_default_quotas(lab, _LIMIT)


INCIDENTS = [
    Incident(
        "open-transaction",
        "silent",
        _open_transaction,
        r"transaction",
        ("a-transaction-holds-a-partition",),
        runbook="consumers",
        parts=("groups",),
    ),
    Incident(
        "quota-of-50-bytes",
        "silent",
        _quota,
        r"quota.*held|quotas hold clients",
        runbook="security",
        parts=("security",),
    ),
]
