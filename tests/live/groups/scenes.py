"""A topic that is written to all the time, and groups that read it: what consumers.md says of readers in trouble."""

from contextlib import AbstractContextManager
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from live.groups import held_by_quota, left_unread
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene
from support.evidence.labs import kafka_lab

__all__ = ["HELD", "KEYS", "LEFT", "SCENES", "lab", "lacking", "systems"]


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers, a writer, and groups of three kinds."""
    return kafka_lab("groups", folder, ["groups"])


# The lab's brokers do not wait for members to gather, as it is meant to start at once.
_ALWAYS = {"new-groups-have-time-to-gather": ""}


def _expected(
    fails: dict[str, str | tuple[str, ...]],
    only: dict[str, dict[str, frozenset[object]]] | None = None,
    chance: frozenset[str] = frozenset(),
) -> dict[str, Expected]:
    return {"consumers": Expected(fails=_ALWAYS | fails, only=only or {}, undetermined=chance)}


# What can't be said of any group while one may be hidden.
_OF_GROUPS = (
    "every-group-that-owes-has-members",
    "every-member-has-work",
    "every-partition-that-is-read-has-an-owner",
    "groups-outlast-a-member",
    "groups-read-as-fast-as-is-written",
    "members-commit-what-they-read",
    "members-are-static-where-that-was-declared",
    "no-group-goes-back",
    "no-group-is-ahead-of-its-log",
    "no-group-leaves-a-topic-unread",
    "no-group-is-stuck",
    "no-partition-has-two-members",
    "no-transaction-stays-open",
    "nothing-was-deleted-unread",
    "one-member-works-and-another-stands-by",
    "parallel-groups-have-a-member-for-each-partition",
    "share-groups-are-switched-on",
    "share-groups-have-begun",
    "streams-groups-have-their-topics",
    "unread-records-fit-in-retention-bytes",
    "what-is-unread-is-kept",
)
_ARCHIVE = "parcels-archive"
_SHARED = "parcels-shared"
_ALL = frozenset(range(4))
_WELL = _expected({})
_SCENES = {
    "stuck-reader": _expected(
        {"no-group-is-stuck": (_ARCHIVE, "stuck at offset")},
        {"no-group-is-stuck": {"group": frozenset({_ARCHIVE}), "partition": frozenset({2})}},
    ),
    "slow-reader": _expected(
        {"groups-read-as-fast-as-is-written": (_ARCHIVE, "records/s read,")},
        {"groups-read-as-fast-as-is-written": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
    ),
    "killed-reader": _expected(
        {"every-group-that-owes-has-members": (_ARCHIVE, "and no members")},
        {"every-group-that-owes-has-members": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
    ),
    "killed-share-reader": _expected(
        {"every-group-that-owes-has-members": (_SHARED, "and no members")},
        {"every-group-that-owes-has-members": {"group": frozenset({_SHARED}), "partition": _ALL}},
    ),
    "hanging-transaction": _expected(
        {
            "no-group-is-stuck": (_ARCHIVE, "held at offset"),
            "no-transaction-stays-open": "open at offset",
        },
        {
            "no-group-is-stuck": {"group": frozenset({_ARCHIVE}), "partition": frozenset({0})},
            "no-transaction-stays-open": {"topic": frozenset({"parcels"}), "partition": frozenset({0})},
        },
    ),
    "hasty-retention": _expected(
        {"nothing-was-deleted-unread": (_ARCHIVE, "are deleted")},
        {"nothing-was-deleted-unread": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
        # What is left is as old as retention allows, ten seconds and what the brokers take to delete it.
        frozenset({"every-group-that-owes-has-members", "what-is-unread-is-kept"}),
    ),
    "rewound-group": _expected(
        {"no-group-goes-back": (_ARCHIVE, "it moves back by")},
        {"no-group-goes-back": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
    ),
    "crashing-member": _expected(
        {"no-group-is-stuck": (_ARCHIVE, "rebalancing at offset")},
        {"no-group-is-stuck": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
    ),
    "too-many-members": _expected(
        {"every-member-has-work": (_ARCHIVE, "2 of 6 members")},
        {"every-member-has-work": {"group": frozenset({_ARCHIVE})}},
    ),
    "changed-format": _expected(
        {"no-group-is-stuck": (_ARCHIVE, "stuck at offset")},
        {"no-group-is-stuck": {"group": frozenset({_ARCHIVE}), "partition": _ALL}},
    ),
    "lost-coordinator": {
        "consumers": Expected(
            fails=_ALWAYS | {"every-group-has-a-coordinator": "no leader;"},
            only={"every-group-has-a-coordinator": {"topic": frozenset({"__consumer_offsets"})}},
            unknown=dict.fromkeys(_OF_GROUPS, "groups are out of sight: __consumer_offsets-")
            | dict.fromkeys(
                ("offsets-outlive-a-pause", "brokers-accept-the-default-session-timeout"), "connection refused"
            ),
        )
    },
}
SCENES = [fault_scene(fault, _WELL, broken, module=__name__) for fault, broken in _SCENES.items()]
_OF_TOPICS = {"topics": Expected()}
_SKEWED = Expected(
    fails={"partitions-share-the-bytes": "times the mean"},
    only={"partitions-share-the-bytes": {"topic": frozenset({"tolls"})}},
)
KEYS = fault_scene("skewed-keys", _OF_TOPICS, {"topics": _SKEWED}, module=__name__)
HELD = held_by_quota.held_by_quota
LEFT = left_unread.left_unread
"""Last, as its group and topics are taken away at its end."""
