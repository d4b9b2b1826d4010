"""What consumers.md says of clients' files: as they should be, and as they should not."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.admin import topic_setting
from kafka_lab.content import create_topics, delete_topics
from runbook.model.result import Outcome
from support import consumer_files as files
from support.built_in import checks_of
from support.evidence.expected import Expected
from support.evidence.scene import State, scene

_SMALL, _LARGE = "invoicing-totals-changelog", "invoicing-names-changelog"
_MEGABYTES: Final = "104857600"
_TEN_MEGABYTES: Final = "10485760"
_ANY: Final = tuple(Outcome)

_OF_FILES: Final = frozenset(
    {
        "a-fetch-holds-the-largest-batch",
        "batches-are-done-before-the-next-poll-is-due",
        "changelogs-close-their-segments",
        "clients-that-must-be-replaced-soon-have-short-sessions",
        "consumers-bear-records-twice",
        "members-agree-on-an-assignor",
        "members-are-static-where-that-was-declared",
        "members-of-the-new-protocol-leave-brokers-what-is-theirs",
        "members-that-hang-are-noticed",
        "one-member-works-and-another-stands-by",
        "parallel-groups-have-a-member-for-each-partition",
        "readers-of-transactions-wait-for-their-end",
        "readers-take-apart-what-writers-put-together",
        "sessions-are-within-what-brokers-take",
        "settings-are-as-declared",
        "static-members-have-time-to-return",
        "timeouts-fit-each-other",
        "what-decides-about-loss-is-written-down",
    }
)
# The lab's brokers share out a new group's partitions at once, for quick tests.
_AT_ONCE: Final = {"new-groups-have-time-to-gather": "group.initial.rebalance.delay.ms 0"}
# What groups do while others of the lab's scenes come and go is for those scenes to say.
_OF_GROUPS: Final = (
    frozenset(check.id for check in checks_of("consumers") if not check.gate) - _OF_FILES - _AT_ONCE.keys()
)

_RIGHT = Expected(fails=_AT_ONCE, passes=_OF_FILES, undetermined=_OF_GROUPS)
_WRONG = Expected(
    fails=_AT_ONCE
    | {
        "a-fetch-holds-the-largest-batch": "max.message.bytes 10485760; a fetch has room for 1048576 bytes",
        "batches-are-done-before-the-next-poll-is-due": "300000 ms at worst; max.poll.interval.ms is 300000",
        "changelogs-close-their-segments": _LARGE,
        "clients-that-must-be-replaced-soon-have-short-sessions": "[60000]",
        "members-agree-on-an-assignor": ("in common []", f"in force is {files.ASSIGNOR}"),
        "members-are-static-where-that-was-declared": "1 members with 0 different group.instance.id values",
        "members-of-the-new-protocol-leave-brokers-what-is-theirs": "session.timeout.ms",
        "members-that-hang-are-noticed": "3600000",
        "one-member-works-and-another-stands-by": "1 of 1 members have partitions",
        "parallel-groups-have-a-member-for-each-partition": "1 members with 6 to 6 partitions",
        "readers-of-transactions-wait-for-their-end": "read_uncommitted",
        "readers-take-apart-what-writers-put-together": ("LongSerializer", "StringDeserializer"),
        "sessions-are-within-what-brokers-take": "brokers allow 6000 to 1800000",
        "settings-are-as-declared": "enable.auto.commit=true, by default; false was declared",
        "static-members-have-time-to-return": "a restart takes 20000",
        "timeouts-fit-each-other": "heartbeat.interval.ms 3000, session.timeout.ms [3000]",
        "what-decides-about-loss-is-written-down": "auto.offset.reset",
    },
    only={
        "changelogs-close-their-segments": {"name": {_LARGE}},
        "sessions-are-within-what-brokers-take": {"client": {"invoicing-a"}},
        "timeouts-fit-each-other": {"client": {"invoicing-a"}},
        "what-decides-about-loss-is-written-down": {"client": {"invoicing-a"}},
    },
    passes=frozenset({"consumers-bear-records-twice"}),
    undetermined=_OF_GROUPS,
)


@scene({"right": {"consumers": _RIGHT}, "wrong": {"consumers": _WRONG}})
def files_of_consumers(lab: LabState, folder: Path) -> Iterator[State]:
    """Clients' files that agree with each other, the brokers and their owner, and groups as declared; then others."""
    right, wrong = folder / "right-files", folder / "wrong-files"
    well = files.inventory(lab, right, files.RIGHT, files.right_params(_SMALL))
    ill = files.inventory(lab, wrong, files.WRONG, files.wrong_params(_LARGE))
    try:
        create_topics(lab, {_SMALL: (1, 3, {"segment.bytes": _MEGABYTES, "cleanup.policy": "compact"})})
        with closing(files.Members(lab, _SMALL)) as members:

            def rightly() -> Mapping[str, bool]:
                return {
                    "members hold what they should": members.held() == files.HELD,
                    "librdkafka starts with a's file": not files.refusal(lab, files.written(right, "invoicing-a")),
                    "librdkafka starts with the desk's file": not files.refusal(lab, files.written(right, "desk")),
                    "segments are small": topic_setting(lab, _SMALL, "segment.bytes") == _MEGABYTES,
                }

            yield State("right", well, rightly)
            large = {"segment.bytes": "1073741824", "cleanup.policy": "compact", "max.message.bytes": _TEN_MEGABYTES}
            create_topics(lab, {_LARGE: (1, 3, large)})
            refused = files.group_error(lab, files.written(wrong, "invoicing-a"))

            def wrongly() -> Mapping[str, bool]:
                return {
                    "members hold what they should": members.held() == files.HELD,
                    "the coordinator refuses a's session": refused == "INVALID_SESSION_TIMEOUT",
                    "librdkafka refuses the desk's file": bool(files.refusal(lab, files.written(wrong, "desk"))),
                    "segments are large": topic_setting(lab, _LARGE, "segment.bytes") == large["segment.bytes"],
                    "batches may be large": topic_setting(lab, _LARGE, "max.message.bytes") == _TEN_MEGABYTES,
                }

            yield State("wrong", ill, wrongly)
    finally:
        delete_topics(lab, [_SMALL, _LARGE])
