"""Why it is not known how a group gets on with a partition."""

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
_NEW = (
    "no committed offset of a first look, {between} s earlier, is known there: usually the group has just begun, and "
    "the next run knows more"
)


def untold(row: Mapping[str, Any], progress: str | None, *, waits_to_begin: bool | None) -> str:
    """The reason; empty where the progress is known, or the row's own cells say why not.

    Args:
        row: of kafka_group_lag, with what group_progress adds.
        progress: what the group does, as far as known.
        waits_to_begin: whether it waits for its first assignment.
    """
    if progress == "no commit seen":
        return _UNTOLD.format(**row)
    if progress is None and row["commits"] and row["committed"] is not None and row["committed_before"] is None:
        return _NEW.format(**row)
    if progress == "never committed" and waits_to_begin is None:
        return _MAY_END.format(**row)
    if progress is None and row["is_late"] and row["owner"] and row["total"] is None:
        return _NOT_ALL
    return _MAYBE_HELD if row["commits"] is False and row["held"] is None and row["stable"] is not None else ""
