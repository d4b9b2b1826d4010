"""What ha.md says where Kafka's rules of election and membership decide: no copy may lead, a vote is another disk's."""

from support.evidence.expected import Expected
from support.evidence.fault import fault_scene

# A broker that was restarted leads less than its share, and who leads the controllers is chance.
_RESTARTED = frozenset({"leaders-are-the-preferred-ones", "work-is-spread-evenly"})
_ONE_AWAY = frozenset(
    {
        "brokers-agree",
        "brokers-answer-quickly",
        "brokers-are-not-declared-dead-too-soon",
        "brokers-know-their-settings",
        "brokers-leave-in-order",
        "controllers-outlive-any-rack",
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
    }
)
"""What a broker that does not answer leaves unknown."""

NO_COPY_MAY_LEAD = Expected(
    fails={
        "any-one-broker-may-fail": "payments",
        "any-one-rack-may-fail": "payments",
        "durable-topics-need-two-in-sync": "payments",
        "every-partition-has-a-leader": "replicas on broker 3; brokers that can lead: []",
        "every-replica-is-in-sync": "payments",
        "maintenance-and-a-failure-lose-nothing": "payments",
        "partitions-take-writes": "payments",
        "replicas-are-on-three-brokers": "payments",
        "topics-have-a-second-copy": "payments",
    },
    undetermined=_RESTARTED | {"controllers-keep-up"},
)
A_VOTE_OF_ANOTHER_DISK = Expected(
    fails={
        "controllers-outlive-any-one-node": "1 of 3 voters left, 2 needed",
        "controllers-outlive-any-rack": "1 of 3 voters left, 2 needed",
    },
    # Who was elected after the old voter was gone never heard of it: how far behind it is, is unknown then.
    undetermined=dict.fromkeys(_RESTARTED, ("pass", "fail")) | {"controllers-keep-up": ("fail", "unknown")},
)
A_NAME_THAT_NOBODY_KNOWS = Expected(
    fails={"every-broker-answers": "its name does not resolve"},
    unknown=_ONE_AWAY
    | {
        "acknowledged-records-are-on-two-brokers",
        "any-one-broker-may-fail",
        "any-one-rack-may-fail",
        "controllers-outlive-any-one-node",
        "enough-brokers",
        "every-partition-has-a-leader",
        "every-replica-is-in-sync",
        "maintenance-and-a-failure-lose-nothing",
        "no-partition-at-its-minimum",
        "partitions-take-writes",
        "replicas-are-on-registered-brokers",
        "replicas-are-on-three-brokers",
        "replicas-use-all-racks",
        "the-cluster-has-a-bearable-number-of-partitions",
    },
    undetermined=_RESTARTED | {"controllers-keep-up"},
)
AN_UNREGISTERED_BROKER = Expected(
    fails={
        "any-one-broker-may-fail": "24 partitions refuse writes",
        "any-one-rack-may-fail": "24 partitions refuse writes",
        "controllers-outlive-any-one-node": "",
        "controllers-outlive-any-rack": "1 of 3 voters left, 2 needed",
        "enough-brokers": "",
        "every-broker-answers": "{'broker': 3}",
        "every-replica-is-in-sync": "3",
        "maintenance-and-a-failure-lose-nothing": "",
        "no-broker-is-fenced": "{'broker': 3}",
        "no-partition-at-its-minimum": "required in sync: 2; no replica to spare",
        "replicas-are-on-registered-brokers": "on broker 3, which is not registered",
    },
    unknown=_ONE_AWAY - {"controllers-outlive-any-rack"}
    | {"brokers-stand-in-two-racks", "every-broker-names-its-rack", "replicas-use-all-racks"},
    undetermined=_RESTARTED | {"controllers-keep-up"},
)

SCENES = [
    fault_scene(fault, {"ha": Expected(undetermined={"controllers-keep-up"})}, {"ha": broken}, module=__name__)
    for fault, broken in {
        "no-copy-eligible": NO_COPY_MAY_LEAD,
        "format-voter": A_VOTE_OF_ANOTHER_DISK,
        "unresolved-name": A_NAME_THAT_NOBODY_KNOWS,
        "unregister-broker": AN_UNREGISTERED_BROKER,
    }.items()
]
