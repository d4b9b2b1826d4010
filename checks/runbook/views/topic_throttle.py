"""Topics whose copies a throttle holds back: at which rate, whether for a move, and who is behind meanwhile."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any, Final

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId, Bytes
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

LISTS: Final = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")
RATES: Final = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
_NO_LIMIT: Final = 2**63 - 1  # Kafka's default of both rates
_NOBODY: Final = ("", "none")


class TopicThrottle(Row):
    """A topic."""

    topic: Annotated[str, Cell("Name.", key=True, entity="topic")]
    rate: Annotated[
        Bytes | None,
        Cell("Bytes a second that the slowest broker may copy of it; -1 where nothing holds it back."),
    ]
    moving: Annotated[bool | None, Cell("Whether a partition of it is being moved, for which a throttle is made.")]
    behind: Annotated[list[BrokerId] | None, Cell("Brokers that serve, and whose replicas of it are out of sync.")]


VIEW = View(
    help="One row per topic: whether its copies are held back by a throttle (KIP-73).",
    row=TopicThrottle,
    inputs={
        "topic": Input("kafka_topic", columns=("name", "overrides"), needs=("name",)),
        "partition": Input("kafka_partition", columns=("topic", "out_of_sync"), needs=("topic",)),
        "moved": Input("kafka_reassignment", columns=("topic",), needs=("topic",)),
        "setting": Input("kafka_broker_setting", columns=("setting", "value"), needs=("setting",)),
        "broker": Input("kafka_broker", columns=("broker", "in_service"), needs=("broker",)),
    },
)


def compute(*, topic: Fact, partition: Fact, moved: Fact, setting: Fact, broker: Fact) -> Observed:
    """Work it out over kafka_topic, kafka_partition, kafka_reassignment, kafka_broker_setting and kafka_broker.

    A list of replicas holds nobody back without a rate, nor a rate without a list.
    """
    slowest = _slowest(setting)
    behind: dict[str, list[list[BrokerId] | None]] = defaultdict(list)
    for name, nodes in zip(partition.columns["topic"], partition.columns["out_of_sync"], strict=True):
        behind[name].append(nodes)
    serves = dict(zip(broker.columns["broker"], broker.columns["in_service"], strict=True))
    moving = {*moved.columns["topic"]}
    return Observed(
        rows=[
            TopicThrottle(
                topic=row["name"],
                rate=_rate(row["overrides"], slowest),
                moving=moved.presence(found=row["name"] in moving),
                behind=_behind(behind[row["name"]] if partition.complete else [None], serves),
            )
            for row in topic.rows("name", "overrides")
        ],
    )


def _slowest(setting: Fact) -> int | None:
    """The least rate that a broker told; where none told a limit, None while one may not have told it."""
    cells = zip(setting.columns["setting"], setting.columns["value"], strict=True)
    rates = [value for name, value in cells if name in RATES]
    least = min((int(value) for value in rates if value), default=_NO_LIMIT)
    if None in rates or (least == _NO_LIMIT and not setting.complete):
        return None
    return least


def _rate(overrides: dict[str, Any] | None, slowest: int | None) -> Bytes | None:
    if overrides is None:
        return None
    if all(overrides.get(name, "") in _NOBODY for name in LISTS):
        return Bytes(-1)
    return None if slowest is None else Bytes(-1 if slowest == _NO_LIMIT else slowest)


def _behind(lagging: list[list[BrokerId] | None], serves: Mapping[BrokerId, bool | None]) -> list[BrokerId] | None:
    """Those that are out of sync and serve; who is down is behind for another reason."""
    if None in lagging:
        return None
    nodes = sorted({node for nodes in lagging for node in nodes or ()})
    if any(serves.get(node) is None for node in nodes):
        return None
    return [node for node in nodes if serves[node]]
