"""Topics and their settings, through whichever client library can tell them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from runbook.answers.kafka import Partition, TopicSettings
from runbook.answers.kafka.errors import AnotherCluster, Gone, MixedUp
from runbook.connections.kafka import topic_requests
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.model.errors import CannotLook, TimedOut

INTERNAL_TOPICS: Final = frozenset({"__consumer_offsets", "__share_group_state", "__transaction_state"})
"""What Kafka marks as internal (`Topic.INTERNAL_TOPICS` of kafka-clients 4.3). It is not asked for: librdkafka's way of
asking waits for the controller, and without a majority of controllers everything about partitions would be lost."""


def all_topics(python: KafkaPythonClient | None, confluent: ConfluentClient) -> dict[str, list[Partition] | CannotLook]:
    """Return every topic that we may see, or why it can't be told.

    librdkafka is many times faster, but chooses by chance whom it asks: maybe one that answers all but this, or one of
    another cluster.
    """
    if python is None:
        return confluent.partitions()
    try:
        return confluent.partitions(alone=False)
    except (TimedOut, AnotherCluster, MixedUp):
        return topic_requests.describe_topics(python)


def settings_of(
    names: list[str], python: KafkaPythonClient | None, confluent: ConfluentClient
) -> dict[str, TopicSettings | CannotLook]:
    """Return the settings of topics, or why they can't be read."""
    try:
        if python is not None:
            return topic_requests.describe_topic_settings(python, names)
        raw = confluent.topic_settings(names)
    except CannotLook as error:
        return dict.fromkeys(names, error)
    return {
        name: seen if isinstance(seen, CannotLook) else topic_requests.keep_settings(seen) for name, seen in raw.items()
    }


def gone(
    settings: Mapping[str, TopicSettings | CannotLook], unknown: Callable[[set[str]], Iterable[set[str]]]
) -> set[str]:
    """Return the topics that went away since they were listed.

    Args:
        settings: of all topics that were listed, or why they can't be read.
        unknown: gives, for each broker that answers, which of some topics it does not know; raises CannotLook.

    One broker alone may lag behind: every one that answers must say so.
    """
    names = {name for name, seen in settings.items() if isinstance(seen, Gone)}
    if not names:
        return names
    try:
        answers = list(unknown(names))
    except CannotLook:
        return set()
    return set.intersection(*answers) if answers else set()
