"""What gates of ha.md see of a throttle that a move has left behind, and once it is gone."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.admin import broker_settings, change_settings, topic_setting
from support.built_in import GATES
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.scene import State, scene

_TOPIC = "orders"
_RATE = "leader.replication.throttled.rate"
_REPLICAS = "leader.replication.throttled.replicas"
_BOTH = frozenset({"no-topic-is-throttled", "no-broker-is-throttled"})
_UNNAMED: dict[str, str | tuple[str, ...]] = dict.fromkeys(
    (
        *("the-named-brokers-are-there", "replicas-are-on-the-named-brokers"),
        *("the-new-controller-has-caught-up", "the-new-controller-has-a-vote"),
    ),
    "",
)
"""Gates on what somebody names on a walk: shut where nobody did."""
_KRAFT: dict[str, str | tuple[str, ...]] = {
    "brokers-speak-the-last-protocol-with-zookeeper": "which has no ZooKeeper mode"
}
_OPEN = Expected(
    fails=_UNNAMED | _KRAFT,
    passes=_BOTH | {"brokers-know-no-zookeeper", "metadata-version-is-the-newest-that-brokers-know"},
    inapplicable=frozenset({"brokers-are-in-migration-mode"}),
)
_SHUT = Expected(
    fails={"no-topic-is-throttled": _TOPIC, "no-broker-is-throttled": ("'broker': 1", "'broker': 3")}
    | _UNNAMED
    | _KRAFT
)


@scene({"before": {f"ha{GATES}": _OPEN}, "left": {f"ha{GATES}": _SHUT}, "after": {f"ha{GATES}": _OPEN}})
def throttled(lab: LabState, _folder: Path) -> Iterator[State]:
    """A limit on each broker and replicas named on one topic, though nothing is being moved."""

    def left() -> Mapping[str, bool]:
        return {
            "each broker has a limit": _limits(lab) == {"50000000"},
            f"{_TOPIC} names replicas": topic_setting(lab, _TOPIC, _REPLICAS) == "0:1,0:2",
        }

    def put(rate: str | None, replicas: str | None) -> None:
        change_settings(lab, "broker", {str(broker.number): {_RATE: rate} for broker in lab.brokers})
        change_settings(lab, "topic", {_TOPIC: {_REPLICAS: replicas}})

    yield State("before", inventory_of(lab), none_of(left))
    try:
        put("50000000", "0:1,0:2")
        yield State("left", inventory_of(lab), left)
    finally:
        put(None, None)
    yield State("after", inventory_of(lab), none_of(left))


def _limits(lab: LabState) -> set[str | None]:
    try:
        return set(broker_settings(lab, _RATE))
    except KeyError:  # a broker tells it only where it is set
        return set()
