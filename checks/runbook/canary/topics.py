"""The topics of a canary: made for one drill, and removed at its end wherever they came to be."""

from collections.abc import Callable
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]  # public, yet not re-exported

from runbook.canary.messages import Made
from runbook.connections.kafka.errors import from_librdkafka
from runbook.model.errors import CannotLook

PATIENCE = 15.0  # seconds for one request; a site in a drill may be slow, and must not hold up the drill. Our judgement
COPIES = 3  # as many as topics of applications have; fewer where there are fewer brokers
MOST_PARTITIONS = 12  # one on each broker of a small cluster. Our judgement
_IN_SYNC = 2  # of three copies: one may be lost, and writing goes on
_KEPT = str(24 * 3600 * 1000)  # milliseconds a record is kept, should the topic be left behind


def create(
    admin: AdminClient,
    name: str,
    *,
    led_by_each: bool = False,
    insist: bool = False,
    partitions: int = 0,
    before: Callable[[], None] = lambda: None,
) -> Made:
    """Make a topic with a partition for each broker, unless it is said how many.

    Args:
        admin: of the cluster in which it is made.
        name: of the topic.
        led_by_each: have each broker lead a partition, instead of leaving to Kafka which do.
        partitions: how many; 0: one for each broker.
        insist: acknowledge nothing (to acks=all) that fewer than two copies have; only where there are three.
        before: is called when the request is about to be sent: from then on the topic may be there.

    Raises:
        CannotLook: it can't be made, or is there already.
    """
    try:
        metadata = admin.list_topics(timeout=PATIENCE)
        brokers = sorted(metadata.brokers)
        partitions = partitions or max(1, min(len(brokers), MOST_PARTITIONS))
        copies = max(1, min(len(brokers), COPIES))
        insisted = insist and copies == COPIES
        settings = {"cleanup.policy": "delete", "retention.ms": _KEPT}
        settings |= {"min.insync.replicas": str(_IN_SYNC)} if insisted else {}
        topic = NewTopic(name, partitions, config=settings, **_placed(brokers, partitions, copies, by_hand=led_by_each))
        before()
        [future] = admin.create_topics([topic], operation_timeout=PATIENCE).values()
        future.result(timeout=PATIENCE)
    except KafkaException as error:
        raise from_librdkafka(error.args[0], f"the topic {name}", right="Create on topics of that name") from None
    except TimeoutError:
        raise CannotLook(f"the topic {name} was not made in {PATIENCE:g} s") from None
    idle = brokers[partitions:] if led_by_each else []
    return Made(str(metadata.cluster_id or ""), partitions, copies, insisted, idle)


def _placed(brokers: list[int], partitions: int, copies: int, *, by_hand: bool) -> dict[str, Any]:
    if not by_hand or not brokers:
        return {"replication_factor": copies}
    starts = [i % len(brokers) for i in range(partitions)]
    return {"replica_assignment": [[*brokers[i:], *brokers[:i]][:copies] for i in starts]}


def remove(admin: AdminClient, mark: str, expected: str) -> list[str]:
    """Remove the topics of a drill; gives those that are left, `expected` if it can't even be seen which there are."""
    try:
        names = sorted(name for name in admin.list_topics(timeout=PATIENCE).topics if mark in name)
    except KafkaException:
        return [expected]
    left = []
    for name, future in admin.delete_topics(names, operation_timeout=PATIENCE).items() if names else ():
        try:
            future.result(timeout=PATIENCE)
        except KafkaException as error:
            if error.args[0].name() != "UNKNOWN_TOPIC_OR_PART":
                left.append(name)
        except TimeoutError:
            left.append(name)
    return left
