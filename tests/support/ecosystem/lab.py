"""The lab with a Schema Registry and Connect: its rights, the inventories it is looked at with, and its secrets."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, connect, rights, security
from kafka_lab.admin import kafka_python
from kafka_lab.faults import plain_secret
from support import gateways
from support.evidence.fault import inventory_of
from support.evidence.labs import kafka_lab
from support.given_connections import give

NAME: Final = "ecosystem"
PARTS: Final = ("security", "jmx", "connect", "registry")
LETTERS: Final = "parcels.dlq"
SECRET: Final = "made-up-for-a-sink"
"""The password in the configuration of a connector that is all wrong."""

_EXEMPT: Final = "^(_|kafkasql-|registry-events$|connect-|shipments|parcels)"
"""Topics that need no schema here: the systems' own, and those of Connect's connectors, which read and write JSON."""
_BASIC: Final[Mapping[str, Any]] = {"schema-governance/topics-have-a-schema": {"exempt": _EXEMPT}}


@contextmanager
def started(folder: Path) -> Iterator[LabState]:
    """The lab, in which the application may write dead letters, and the reader may read records."""
    with kafka_lab(NAME, folder, [*PARTS]) as lab:
        writer = [(name, right) for name in (LETTERS, connect.DEAD_LETTERS) for right in ("write", "describe")]
        may = [rights.Right(security.APPLICATION, "topic", *one) for one in writer]
        rights.allow(lab, [*may, rights.Right(security.READER, "topic", "*", "read")])
        yield lab


def inventory(lab: LabState, _folder: Path | None = None) -> dict[str, Any]:
    """As the lab writes it; but nothing is tried from outside, where this registry and Connect ask nobody who he is."""
    return changed(lab, absent={"tls": "nothing is tried from outside"})


def impatient(lab: LabState, _folder: Path | None = None) -> dict[str, Any]:
    """The same, with a second as the time after which a group that stands at a record is late."""
    return changed(lab, absent={"tls": "nothing is tried from outside"}, late=1)


def changed(
    lab: LabState,
    changes: Mapping[str, Any] | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    absent: Mapping[str, str] | None = None,
    late: int | None = None,
) -> dict[str, Any]:
    """The lab's inventory with some of it changed.

    Args:
        lab: the lab.
        changes: settings and connections of its environment that are given anew.
        params: parameters of checks, beside those it has.
        absent: connections that are taken away, and why.
        late: seconds after which a group that stands at a record is late, where not as the runbook says.
    """
    document = inventory_of(lab)
    environment: dict[str, Any] = document["environments"][lab.name]
    give(environment, **changes or {})
    for name in absent or {}:
        environment.pop(name, None)
    environment["absent"] |= absent or {}
    waits = {"ignore": _groups_of_the_registry(lab)} | ({} if late is None else {"late": late, "away": late})
    basic = {**_BASIC, "error-handling/no-group-waits-at-a-record": waits}
    environment["params"] = environment.get("params", {}) | basic | dict(params or {})
    return document


def _groups_of_the_registry(lab: LabState) -> list[str]:
    """Apicurio reads its topic by a new group at each start, which commits once and is left behind."""
    with kafka_python(lab) as admin:
        return sorted(group["group_id"] for group in admin.list_groups() if group["group_id"].startswith("apicurio-"))


def secrets(lab: LabState) -> list[str]:
    """What must be in no evidence: passwords, and of each private key a line of its middle."""
    passwords = [security.password(lab, user) for user in (security.READER, security.APPLICATION)]
    keys = [file.read_text("ascii").splitlines() for file in security.folder(lab).glob("*.key")]
    return [*passwords, *(key[len(key) // 2] for key in keys), gateways.PASSWORD, SECRET, plain_secret.MADE_UP]
