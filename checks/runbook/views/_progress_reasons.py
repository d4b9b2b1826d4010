"""Why it is not known what a group does, in words, and what helps."""

from collections.abc import Mapping
from typing import Any

_UNTOLD = (
    "late, and no commit of its member was seen within {between} s: it stands, or commits more seldom than that; "
    "a longer look decides, as in runbook check consumers.md --deadline 5m"
)
_MAYBE_HELD = (
    "the group has committed nothing, and a transaction is open there: whether that holds it, or it reads and does not "
    "commit, its brokers can't tell"
)
_MAY_END = (
    "the group rebalances and has committed nothing yet: whether that ends is not known before it was silent for "
    "{late} s; check again then"
)
_NOT_ALL = (
    "its member has partitions in which it has committed nothing yet, or whose positions are not known, and more is "
    "written there: how fast it reads can't be told"
)
_ONE_LOOK = (
    "one of two looks found no committed offset, as when a group has just begun: whether it moves is not known yet; "
    "check again in a minute"
)
_NOT_SEEN = (
    "its committed offset, the end of the partition or its members could not be read at both looks; check again once "
    "the partition's leader and the group's coordinator answer"
)
_NO_AGE = (
    "it has something to read, and how long that has waited is not known; check again in a minute, when newer records "
    "tell"
)
_MOVING = "the group is rebalancing, or which member has the partition is not known; check again in a minute"


def untold(
    row: Mapping[str, Any], progress: str | None, moved: tuple[int, int] | None, *, waits_to_begin: bool | None
) -> str:
    """Say why it is not known whether a group stands, and what helps; empty if it is, or if its cells say why.

    Args:
        row: of kafka_group_lag, with what group_progress adds.
        progress: what the group does, as far as known.
        moved: how far the group and the end of the partition moved between two looks, in records.
        waits_to_begin: whether it waits for its first assignment.
    """
    if progress == "no commit seen":
        return _UNTOLD.format(**row)
    if progress == "never committed" and waits_to_begin is None:
        return _MAY_END.format(**row)
    if row["commits"] is False and row["held"] is None and row["stable"] is not None:
        return _MAYBE_HELD
    return "" if progress is not None else _unseen(row, moved)


def _unseen(row: Mapping[str, Any], moved: tuple[int, int] | None) -> str:
    """What lacks where it is not known what a group does, and what helps."""
    if row["commits"] and (row["committed"] is None) != (row["committed_before"] is None):
        return _ONE_LOOK
    if moved is None or row["lag"] is None or row["members"] is None:
        return _NOT_SEEN
    if row["is_late"] and row["owner"] and row["total"] is None:
        return _NOT_ALL
    if row["is_late"] is None:
        return _NO_AGE
    return _NOT_SEEN if row["owner"] else _MOVING
