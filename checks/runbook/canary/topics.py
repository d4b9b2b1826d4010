"""The topics of a canary: made for one drill, and removed at its end wherever they came to be."""

from typing import NamedTuple

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic  # type: ignore[attr-defined]  # public, yet not re-exported

from runbook.connections.kafka.errors import from_librdkafka
from runbook.engine.errors import CannotLook

PATIENCE = 15.0  # seconds for one request; a site in a drill may be slow, and must not hold up the drill. Our judgement
COPIES = 3  # as many as topics of applications have; fewer where there are fewer brokers
MOST_PARTITIONS = 12  # one on each broker of a small cluster. Our judgement
_KEPT = str(24 * 3600 * 1000)  # milliseconds a record is kept, should the topic be left behind


class Made(NamedTuple):
    """A topic that was made: in which cluster, and its number of partitions."""

    cluster: str
    partitions: int


def create(admin: AdminClient, name: str) -> Made:
    """Make a topic with a partition for each broker.

    Raises:
        CannotLook: it can't be made, or is there already.
    """
    try:
        told = admin.list_topics(timeout=PATIENCE)
        brokers = len(told.brokers)
        partitions = max(1, min(brokers, MOST_PARTITIONS))
        settings = {"cleanup.policy": "delete", "retention.ms": _KEPT}
        topic = NewTopic(name, partitions, max(1, min(brokers, COPIES)), config=settings)
        [future] = admin.create_topics([topic], operation_timeout=PATIENCE).values()
        future.result(timeout=PATIENCE)
    except KafkaException as error:
        raise from_librdkafka(error.args[0], f"the topic {name}", right="Create on topics of that name") from None
    except TimeoutError:
        raise CannotLook(f"the topic {name} was not made in {PATIENCE:g} s") from None
    return Made(str(told.cluster_id or ""), partitions)


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
