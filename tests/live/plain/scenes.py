"""Three brokers in three racks, KRaft, without anything beside them: what ha.md says of each fault."""

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from live.plain import consumers, membership, producers, throttles, topics, topologies
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene
from support.evidence.labs import kafka_lab


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers."""
    return kafka_lab("plain", folder, [])


# Which of the survivors then leads, partitions or controllers, is chance.
_BY_CHANCE = frozenset({"work-is-spread-evenly", "controllers-keep-up"})


def _a_broker_is_lost(number: int) -> Expected:
    return Expected(
        fails={
            "any-one-broker-may-fail": "24 partitions refuse writes",
            "any-one-rack-may-fail": "24 partitions refuse writes",
            "controllers-outlive-any-one-node": "",
            "controllers-outlive-any-rack": "1 of 3 voters left, 2 needed",
            "enough-brokers": "",
            "every-broker-answers": f"{{'broker': {number}}}",
            "every-replica-is-in-sync": f"{number}",
            "maintenance-and-a-failure-lose-nothing": "",
            "no-broker-is-fenced": f"{{'broker': {number}}}",
            "no-partition-at-its-minimum": "required in sync: 2; no replica to spare",
        },
        unknown={
            "brokers-agree",
            "brokers-answer-quickly",
            "brokers-know-their-settings",
            "brokers-are-not-declared-dead-too-soon",
            "brokers-leave-in-order",
            "decisive-settings-are-chosen",
            "flushing-is-left-to-the-system",
            "followers-have-time-to-fetch",
            "leaders-return-by-themselves",
            "log-directories-have-room",
            "log-directories-work",
            "new-internal-topics-get-three-copies",
            "new-topics-get-three-copies",
            "recovery-uses-the-machine",
            "unclean-elections-are-off-by-default",
        },
        undetermined=_BY_CHANCE,
    )


# Where the frozen broker is the active controller, the others go on asking it for up to 30 s before they turn to the
# new one (controller.socket.timeout.ms), and what they ask for clients waits as long. Whether it is, is chance.
_ASKED_OF_THE_CONTROLLER = frozenset(
    {
        "controllers-are-three-or-five",
        "controllers-outlive-any-one-node",
        "controllers-outlive-any-rack",
        "no-replicas-are-being-moved",
        "one-controller-is-active",
        "the-cluster-has-a-controller",
        "throttles-end-with-their-move",
    }
)
_LOST = _a_broker_is_lost(3)
_FROZEN = replace(
    _LOST,
    fails={check: words for check, words in _LOST.fails.items() if check not in _ASKED_OF_THE_CONTROLLER},
    undetermined=_BY_CHANCE | _ASKED_OF_THE_CONTROLLER,
)
_ONE_IN_SYNC = Expected(
    fails={
        "acknowledged-records-are-on-two-brokers": "payments",
        "any-one-broker-may-fail": "payments",
        "any-one-rack-may-fail": "payments",
        "every-replica-is-in-sync": "payments",
        "maintenance-and-a-failure-lose-nothing": "payments",
        "no-replicas-are-being-moved": "payments",
        "partitions-take-writes": "payments",
    }
)
_BAD_TOPICS = Expected(
    fails={
        "acknowledged-records-are-on-two-brokers": "audit",
        "any-one-broker-may-fail": ("audit", "invoices"),
        "any-one-rack-may-fail": ("audit", "invoices"),
        "durable-topics-need-two-in-sync": ("audit", "sessions"),
        "maintenance-and-a-failure-lose-nothing": "audit",
        "no-unclean-elections-where-data-matters": "sessions",
        "replicas-are-on-three-brokers": "audit",
        "topic-survives-one-broker": "invoices",
        "topics-have-a-second-copy": "audit",
    }
)
_BAD_SETTINGS = Expected(
    fails={
        "brokers-agree": "num.io.threads",
        "durable-topics-need-two-in-sync": "clicks",
        "min-insync-replicas-is-declared": "clicks",
        "no-unclean-elections-where-data-matters": "",
        "unclean-elections-are-off-by-default": "",
    }
)
_ONE_LEADS = Expected(fails={"leaders-are-the-preferred-ones": "", "work-is-spread-evenly": ""})
_NO_MAJORITY = Expected(
    fails={"every-broker-answers": ("{'broker': 2}", "{'broker': 3}")},
    unknown={"partitions-take-writes", "every-partition-has-a-leader", "every-replica-is-in-sync"},
    others=("fail", "unknown", "not_applicable", "pass"),
    # Did the survivor lead? Then it answers for the quorum until it resigns, 1.5 fetch timeouts (3 s) after the others'
    # last fetch (KafkaRaftClient, LeaderState.timeUntilCheckQuorumExpires); else nobody does from the first moment on.
    # As long as it answers, whether the others serve is unknown; then they count as lost.
    undetermined=_BY_CHANCE
    | {
        "controllers-are-three-or-five",
        "controllers-keep-up",
        "enough-brokers",
        "more-than-one-broker",
        "no-replicas-are-being-moved",
        "one-controller-is-active",
        "the-cluster-has-a-controller",
    },
)

_WELL = {"ha": Expected()}
OF_GATES = [throttles.throttled]
OF_MEMBERSHIP = membership.SCENES
OF_OTHER_RUNBOOKS = [
    topologies.three_zones,
    topologies.linked_to_itself,
    topics.topics_of_every_kind,
    producers.producers_of_every_kind,
    consumers.files_of_consumers,
]
SCENES = [
    fault_scene(fault, _WELL, {"ha": broken}, module=__name__)
    for fault, broken in {
        "stop-broker": _a_broker_is_lost(2),
        "freeze-broker": _FROZEN,
        "lose-rack": _LOST,
        "lose-quorum": _NO_MAJORITY,
        "shrink-isr": _ONE_IN_SYNC,
        "unsafe-topic": _BAD_TOPICS,
        "unsafe-broker-settings": _BAD_SETTINGS,
        "skew-leadership": _ONE_LEADS,
    }.items()
]
