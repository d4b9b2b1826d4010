"""A quota of its client id lets a group read less than is written, until it is taken away."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_lab import LabState, rights
from kafka_lab.brokers import run_tool
from kafka_lab.parts import groups
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of
from support.evidence.scene import State, scene

_CLIENT: Final = f"{groups.ARCHIVE}-1"
_LIMIT: Final = "consumer_byte_rate"
_RATE: Final = 100
"""Bytes a second on each broker: about a record. The writer writes seven to each."""
_BEHIND: Final = 100  # records, of each partition
_ALWAYS: Final[dict[str, str | tuple[str, ...]]] = {"new-groups-have-time-to-gather": ""}
_SLOW: Final = "groups-read-as-fast-as-is-written"
_HELD: Final = Expected(
    fails=_ALWAYS | {_SLOW: (groups.ARCHIVE, "records/s read,")},
    only={_SLOW: {"group": frozenset({groups.ARCHIVE})}},
)
_FREE: Final = Expected(fails=_ALWAYS)
_QUOTAS: Final = Expected(others=("pass", "fail", "unknown", "not_applicable"))
"""The runbook that asks for quotas; what it says of a lab without logins is another scene's matter."""


@scene({"held": {"consumers": _HELD, "security": _QUOTAS}, "free": {"consumers": _FREE, "security": _QUOTAS}})
def held_by_quota(lab: LabState, folder: Path) -> Iterator[State]:
    """The member of the archive gets a hundred bytes a second of each broker."""
    lab = known(lab.name, Path(lab.folder).parent)  # other scenes have started clients since

    def claims() -> Mapping[str, bool]:
        return {
            "brokers tell the quota": f"{_LIMIT}={float(_RATE)}" in _quotas(lab),
            "the group is behind in every partition": min(groups.lags(lab).values()) > _BEHIND,
        }

    def free() -> Mapping[str, bool]:
        few = max(groups.lags(lab).values()) < groups.FEW
        return {"brokers tell no quota": _LIMIT not in _quotas(lab), "the group keeps up": few}

    try:
        rights.limit_client(lab, _CLIENT, {_LIMIT: _RATE})
        wait_until(lambda: all(claims().values()), "the quota to hold the reader back", within=120)
        time.sleep(groups.LATE)
        yield State("held", inventory_of(lab, folder), claims)
    finally:
        rights.limit_client(lab, _CLIENT, {_LIMIT: None})
        groups.anew(lab)
    yield State("free", inventory_of(lab, folder), free)


def _quotas(lab: LabState) -> str:
    whose = ["--entity-type", "clients", "--entity-name", _CLIENT]
    return run_tool(lab, "kafka.admin.ConfigCommand", ["--bootstrap-server", lab.bootstrap, "--describe", *whose])
