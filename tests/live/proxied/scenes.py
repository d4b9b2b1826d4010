"""Three brokers that are well, each behind a proxy: what is wrong between us and them is no fault of theirs."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from support.built_in import checks_of
from support.evidence.expected import WELL, Expected
from support.evidence.fault import fault_scene
from support.evidence.labs import kafka_lab


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers behind proxies."""
    return kafka_lab("proxied", folder, ["proxies"])


_NOT_SEEN = frozenset(
    {
        "acknowledged-records-are-on-two-brokers",
        "any-one-broker-may-fail",
        "any-one-rack-may-fail",
        "brokers-agree",
        "brokers-answer-quickly",
        "brokers-are-not-declared-dead-too-soon",
        "brokers-know-their-settings",
        "brokers-leave-in-order",
        "controllers-outlive-any-one-node",
        "controllers-outlive-any-rack",
        "decisive-settings-are-chosen",
        "enough-brokers",
        "every-partition-has-a-leader",
        "every-replica-is-in-sync",
        "flushing-is-left-to-the-system",
        "followers-have-time-to-fetch",
        "leaders-are-the-preferred-ones",
        "leaders-return-by-themselves",
        "log-directories-have-room",
        "log-directories-work",
        "maintenance-and-a-failure-lose-nothing",
        "new-internal-topics-get-three-copies",
        "new-topics-get-three-copies",
        "no-partition-at-its-minimum",
        "partitions-take-writes",
        "recovery-uses-the-machine",
        "replicas-are-on-registered-brokers",
        "replicas-are-on-three-brokers",
        "replicas-use-all-racks",
        "the-cluster-has-a-bearable-number-of-partitions",
        "unclean-elections-are-off-by-default",
    }
)
"""What takes the answer of every broker. That the cluster is well is never denied: nothing of this fails."""

_NOT_ASKED: Final = frozenset({"work-is-spread-evenly"})
"""What nobody asks while a broker does not answer."""

_BY_CHANCE = {check.id: (*WELL, "unknown") for check in checks_of("ha") if not check.gate}
"""Where requests are lost by chance, though the cluster is well, nothing fails."""

_WELL = {"ha": Expected(passes={"brokers-answer-quickly"})}
SCENES = [
    fault_scene(fault, _WELL, {"ha": broken}, module=__name__)
    for fault, broken in {
        "mute-metadata": Expected(
            fails={"every-broker-answers": ("{'broker': 1}", "did not answer")},
            unknown=_NOT_SEEN,
            inapplicable=_NOT_ASKED,
        ),
        "misdirect-broker": Expected(
            fails={"every-broker-answers": ("{'broker': 3}", "at its address broker 1 answers")},
            unknown=_NOT_SEEN,
            inapplicable=_NOT_ASKED,
        ),
        "lose-sight": Expected(
            fails={"every-broker-answers": ("{'broker': 2}", "{'broker': 3}")},
            unknown=_NOT_SEEN | {"more-than-one-broker"},
            inapplicable=_NOT_ASKED,
        ),
        "slow-broker": Expected(
            fails={"brokers-answer-quickly": ("{'broker': 2}", "requests took over 1500 ms")},
            rows={"brokers-answer-quickly": 1},
            passes={"every-broker-answers", "log-directories-work", "partitions-take-writes"},
        ),
        "lose-requests": Expected(undetermined=_BY_CHANCE),
    }.items()
]
