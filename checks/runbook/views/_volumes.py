"""Log directories of a broker that share a volume, whose room must not be counted twice."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from runbook.changes.wording import apart
from runbook.model.fact import Fact
from runbook.model.quantity import BrokerId, Days

ALIKE: Final = 64 * 1024 * 1024
"""Bytes by which directories of one volume may differ in what they call usable, as they are looked at one after the
other; our judgement: two disks of one size that are so close to each other are rare, and taken for one."""

LOG_DIR: Final = ("broker", "path", "error", "total_bytes", "usable_bytes")


class Volume(NamedTuple):
    """A volume with log directories of a broker; its sizes are unknown before Kafka 3.3 (KIP-827)."""

    broker: BrokerId
    paths: tuple[str, ...]
    total: int | None
    usable: int | None


def volumes_of(log_dir: Fact) -> Iterator[Volume]:
    """The volumes of each broker, those of directories that failed left out."""
    found = [
        Volume(row["broker"], (row["path"],), row["total_bytes"], row["usable_bytes"])
        for row in log_dir.rows(*LOG_DIR)
        if row["error"] == ""
    ]
    while found:
        first, *rest = found
        together = [first, *(other for other in rest if _is_same(first, other))]
        yield first._replace(paths=tuple(path for one in together for path in one.paths))
        found = [other for other in rest if other not in together]


def lasts(days: Days | None) -> str:
    """For how long there is room, in words; empty where that is not known or never ends."""
    return apart(round(days * 86_400)) if days is not None and days >= 0 else ""


def _is_same(one: Volume, other: Volume) -> bool:
    if one.broker != other.broker or one.total is None or one.usable is None or other.usable is None:
        return False
    return one.total == other.total and abs(one.usable - other.usable) <= ALIKE
