"""A group that has stopped reading a topic, which keeps less than what is unread; then the topic keeps more."""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.admin import change_settings, kafka_python, topic_setting
from kafka_lab.content import create_topics, delete_topics, write_ballast
from kafka_lab.parts import groups
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of
from support.evidence.scene import State, scene

_LEFT, _READ, _GROUP = "letters", "stamps", "letters-desk"
_TIGHT: Final = "60000"
_AMPLE: Final = "100000000"
_UNREAD: Final = 3_000_000  # bytes
_LATE: Final = 35.0  # seconds
_FAILS: Final[dict[str, str | tuple[str, ...]]] = {
    "new-groups-have-time-to-gather": "",  # the lab's brokers do not wait for members to gather
    "no-group-leaves-a-topic-unread": (_GROUP, "no member of the group has a partition of the topic"),
}
_ONLY: Final = {"group": frozenset({_GROUP}), "topic": frozenset({_LEFT})}
_TOO_LITTLE: Final = Expected(
    fails=_FAILS | {"unread-records-fit-in-retention-bytes": (_GROUP, "retention.bytes=60000")},
    only=dict.fromkeys(("no-group-leaves-a-topic-unread", "unread-records-fit-in-retention-bytes"), _ONLY),
    passes=frozenset({"every-group-that-owes-has-members", "what-is-unread-is-kept"}),
)
_ENOUGH: Final = Expected(
    fails=_FAILS,
    only={"no-group-leaves-a-topic-unread": _ONLY},
    passes=frozenset({"unread-records-fit-in-retention-bytes"}),
)


@scene({"tight": {"consumers": _TOO_LITTLE}, "raised": {"consumers": _ENOUGH}})
def left_unread(lab: LabState, folder: Path) -> Iterator[State]:
    """A member reads another topic of its group; what it left is 3 MB in a topic that keeps 60 KB, then 100 MB."""
    lab = known(lab.name, Path(lab.folder).parent)  # other scenes have started clients since
    own = {"retention.ms": "-1", "retention.bytes": _TIGHT}
    try:
        create_topics(lab, {_LEFT: (1, 3, own), _READ: (1, 3, {})})
        write_ballast(lab, _LEFT, [0], _UNREAD)
        written = time.time()
        _commit_first(lab)
        groups.client(lab, "desk", "read", _GROUP, "0", topic=_READ)

        def claims(bound: str) -> Mapping[str, bool]:
            return {
                "the group has a member": groups.state_of(lab, _GROUP) == "Stable",
                "it has committed the first record": groups.places(lab, _GROUP, _LEFT) == {0: 1},
                f"the rest was written {_LATE:.0f} s ago": time.time() > written + _LATE,
                f"retention.bytes is {bound}": topic_setting(lab, _LEFT, "retention.bytes") == bound,
            }

        yield State("tight", inventory_of(lab, folder), lambda: claims(_TIGHT))
        change_settings(lab, "topic", {_LEFT: {"retention.bytes": _AMPLE}})
        yield State("raised", inventory_of(lab, folder), lambda: claims(_AMPLE))
    finally:
        groups.end(lab, "desk")
        wait_until(lambda: groups.state_of(lab, _GROUP) in ("Empty", "Dead", ""), "the group to be empty", within=240)
        with kafka_python(lab) as admin:
            admin.delete_groups([_GROUP])
        delete_topics(lab, [_LEFT, _READ])


def _commit_first(lab: LabState) -> None:
    from kafka import TopicPartition
    from kafka.structs import OffsetAndMetadata

    with kafka_python(lab) as admin:
        admin.alter_group_offsets(_GROUP, {TopicPartition(_LEFT, 0): OffsetAndMetadata(1, "", -1)})
