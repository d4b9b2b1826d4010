"""The cluster as a whole: who is in it, which topics it lists, its quorum and features."""

from collections.abc import Iterable

from runbook.answers.kafka import Cluster, Feature, Partition, Quorum
from runbook.connections.kafka import cluster_requests, topics
from runbook.connections.kafka.reader.clients import Clients
from runbook.model.errors import CannotLook


class ClusterReader(Clients):
    """What the cluster tells of itself."""

    def cluster(self) -> Cluster:
        """Return the cluster with its registered brokers, fenced ones included where Kafka tells (4.0 and later)."""

        def ask() -> Cluster:
            python = self._python_or_none()
            if python is None:
                seen = self._confluent.cluster()
                return Cluster(seen.id, seen.brokers, seen.controller, seen.describes_all, str(self._python))
            return cluster_requests.describe_cluster(python)

        return self._memory.once("cluster", ask)

    def release(self) -> tuple[int, ...] | None:
        """Return Kafka's release as far as the brokers' requests tell it, None if they can't be asked."""
        python = self._python_or_none()
        return None if python is None else python.release

    def quorum(self) -> Quorum:
        """Return the KRaft metadata quorum."""
        return self._memory.once("quorum", lambda: cluster_requests.describe_quorum(self._python_or_raise()))

    def features(self) -> dict[str, Feature]:
        """Return the cluster's versioned features by name; none before Kafka 2.7."""
        return self._memory.once("features", lambda: cluster_requests.describe_features(self._python_or_raise()))

    def topics(self) -> dict[str, list[Partition]]:
        """Return the topics that can be seen, in order of their names; `topics_gaps` says what can't be."""
        return {name: seen for name, seen in self._all_topics().items() if not isinstance(seen, CannotLook)}

    def each_partition(self) -> Iterable[tuple[str, Partition]]:
        """Yield every partition that can be seen, with its topic."""
        for name, partitions in self.topics().items():
            for partition in partitions:
                yield name, partition

    def _all_topics(self) -> dict[str, list[Partition] | CannotLook]:
        # Our own client first: it says in no time, and why, if nobody is there.
        return self._memory.once("topics", lambda: topics.all_topics(self._python_or_none(), self._confluent))
