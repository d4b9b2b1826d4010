"""How long records of a topic are kept that a group has not read."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from runbook.model.quantity import Seconds

Kept = Literal["by time", "by time and size", "by size", "for ever"]
_BY_TIME: Final = ("by time", "by time and size")


def kept_by(topic: Mapping[str, Any] | None) -> Kept | None:
    """What deletes records of a topic, a row of kafka_topic; None where that is not known."""
    if topic is None or topic["cleanup_policy"] is None:
        return None
    if "delete" not in topic["cleanup_policy"]:
        return "for ever"
    if topic["retention_ms"] is None or topic["retention_bytes"] is None:
        return None
    by_time, by_size = topic["retention_ms"] >= 0, topic["retention_bytes"] >= 0
    if by_time:
        return "by time and size" if by_size else "by time"
    return "by size" if by_size else "for ever"


def retention(topic: Mapping[str, Any] | None, kept: str | None) -> Seconds | None:
    """retention.ms, where records go by time."""
    return Seconds(topic["retention_ms"] / 1000) if topic is not None and kept in _BY_TIME else None


def deleted_not_before(
    row: Mapping[str, Any], topic: Mapping[str, Any] | None, kept: str | None, spare: int
) -> Seconds | None:
    """A segment goes once its youngest record is older than retention.ms, so none of its records goes sooner."""
    if topic is None or kept not in _BY_TIME or row["behind_most"] is None:
        return None
    if row["lag"] is None or row["lag"] <= spare:
        return None
    return Seconds(max(0.0, round(topic["retention_ms"] / 1000 - row["behind_most"], 1)))
