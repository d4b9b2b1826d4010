"""The topics: what may be hidden, how they are set, which partitions are on the move."""

from collections.abc import Iterable

from runbook.answers.kafka import Acl, EligibleLeaders, Partition, Reassignment, TopicPartition, TopicSettings
from runbook.connections.kafka import topic_requests, topics, visibility
from runbook.connections.kafka.reader.rights import Rights
from runbook.model.errors import CannotLook, Denied
from runbook.model.fact import Gap

_TOPICS_AT_ONCE = 200


class Topics(Rights):
    """What can be found out about topics."""

    def topics_gaps(self) -> list[Gap]:
        """Return what keeps the list of topics from being proved complete."""
        hidden = self._memory.once(
            "topics hidden",
            lambda: visibility.hidden_topics(self._python_or_none() or self._confluent, self._denials, self.clock),
        )
        refused = [(name, seen) for name, seen in self._all_topics().items() if isinstance(seen, CannotLook)]
        return [*hidden, *(Gap.of(seen, {"topic": name}) for name, seen in refused)]

    def _denials(self) -> list[Acl] | None:
        """Return every ACL, also where librdkafka alone must do: it takes a refusal for an empty list."""
        if self._python_or_none() is not None:
            return self.acls()
        if not self.cluster().describes_all:
            needs = "Describe on the cluster"
            raise Denied(f"the cluster does not let us look: it needs {needs}", needs)
        return self._confluent.acls()

    def internal_topics(self) -> frozenset[str]:
        """Return the topics that can be seen and that Kafka marks as internal."""
        return topics.INTERNAL_TOPICS & self.topics().keys()

    def topic_settings(self) -> dict[str, TopicSettings | CannotLook]:
        """Return the settings of every topic that can be seen, or why they can't be read."""

        def batch(names: list[str]) -> dict[str, TopicSettings | CannotLook]:
            return topics.settings_of(names, self._python_or_none(), self._confluent)

        def ask() -> dict[str, TopicSettings | CannotLook]:
            names = list(self.topics())
            batches = [names[start : start + _TOPICS_AT_ONCE] for start in range(0, len(names), _TOPICS_AT_ONCE)]
            return {name: seen for found in self._pool.map(batch, batches) for name, seen in found.items()}

        return self._memory.once("topic settings", ask)

    def lasting_topics(self) -> dict[str, list[Partition]]:
        """Return the topics that were there from the list of them to their settings: some come and go meanwhile."""

        def unknown(names: set[str]) -> Iterable[set[str]]:
            python = self._python_or_raise()
            return self.of_each_broker(lambda broker: topic_requests.unknown_to(python, broker, names))[0].values()

        gone = self._memory.once("topics gone", lambda: topics.gone(self.topic_settings(), unknown))
        return {name: partitions for name, partitions in self.topics().items() if name not in gone}

    def eligible_leaders(self) -> dict[TopicPartition, EligibleLeaders]:
        """Return the eligible leader replicas of every partition that may have some, with its state at that time.

        A replica is in the ISR or eligible, never both. So of a partition whose replicas are all in sync only brokers
        without a replica may be eligible, who are never elected, and only the topics of others are asked about.

        Raises:
            Unsupported: the brokers know no eligible leader replicas (before Kafka 3.7).
        """

        def ask() -> dict[TopicPartition, EligibleLeaders]:
            lacking = sorted({name for name, p in self.each_partition() if len(p.isr) < len(p.replicas)})
            if not lacking:
                return {}
            return topic_requests.describe_topic_partitions(self._python_or_raise(), lacking)

        return self._memory.once("eligible leaders", ask)

    def reassignments(self) -> list[Reassignment]:
        """Return the partitions that are on the move."""
        return self._memory.once("reassignments", lambda: topic_requests.list_reassignments(self._python_or_raise()))
