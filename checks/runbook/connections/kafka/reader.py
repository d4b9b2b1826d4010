"""A Kafka cluster, observed: every request is made once per connection, whatever number of probes ask.

Two client libraries do the asking. confluent-kafka comes first; kafka-python supplies what librdkafka lacks
(fenced brokers, log directories, quorum, features, reassignments, eligible leaders) and what must go to a broker
that is known to be alive. Where the settings can't be translated for kafka-python, that part alone is lost.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from runbook.connections.kafka import cluster_requests, outsider, rights_requests, topic_requests, topics, visibility
from runbook.connections.kafka.answers import (
    Acl,
    Broker,
    Cluster,
    EligibleLeaders,
    Feature,
    Group,
    LogDir,
    Login,
    Partition,
    Quorum,
    Quota,
    Reassignment,
    Setting,
    TopicPartition,
    TopicSettings,
)
from runbook.connections.kafka.confluent_client import ConfluentClient
from runbook.connections.kafka.groups import (
    describe_groups,
    hidden_groups,
    list_groups_of_all,
    lost_coordinators,
)
from runbook.connections.kafka.offset_requests import EARLIEST, LATEST, NEWEST
from runbook.connections.kafka.offsets import Commits, Places, commits_of, offsets_at, told_at_last
from runbook.connections.kafka.python_client import KafkaPythonClient
from runbook.connections.kafka.records import Allowance, Bounds, Records, newest, spans
from runbook.engine.errors import CannotLook, Denied, Misconfigured
from runbook.engine.fact import Gap, distinct
from runbook.engine.memory import Memory
from runbook.engine.quantity import BrokerId

T = TypeVar("T")

INTERNAL_TOPICS: Final = frozenset({"__consumer_offsets", "__share_group_state", "__transaction_state"})
"""What Kafka marks as internal (`Topic.INTERNAL_TOPICS` of kafka-clients 4.3). It is not asked for: librdkafka's way of
asking waits for the controller, and without a majority of controllers everything about partitions would be lost."""

_TOPICS_AT_ONCE = 200
_BROKERS_AT_ONCE = 64


class Kafka:
    """Reading methods over one cluster. All are safe to call from many threads and raise `CannotLook`."""

    def __init__(
        self,
        confluent: ConfluentClient,
        python: KafkaPythonClient | Misconfigured,
        may_read: Sequence[str] = (),
    ) -> None:
        """Read through both clients, or through the first alone where the settings keep the second out.

        Records are read of topics that fit one of the patterns `may_read`, and of no others.
        """
        self._confluent = confluent
        self._python = python
        self.allowance = Allowance(may_read, INTERNAL_TOPICS)
        self._memory = Memory()
        self._pool = ThreadPoolExecutor(_BROKERS_AT_ONCE, thread_name_prefix="kafka")

    def close(self) -> None:
        """Close all connections."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._confluent.close()
        if isinstance(self._python, KafkaPythonClient):
            self._python.close()

    # -- the cluster and its brokers

    def cluster(self) -> Cluster:
        """Return the cluster with its registered brokers, fenced ones included where Kafka tells (4.0 and later)."""

        def ask() -> Cluster:
            python = self._python_or_none()
            if python is None:
                seen = self._confluent.cluster()
                return Cluster(seen.id, seen.brokers, seen.controller, seen.describes_all, str(self._python))
            return cluster_requests.describe_cluster(python)

        return self._memory.once("cluster", ask)

    def brokers(self) -> tuple[Broker, ...]:
        """Return the registered brokers and those that only replica lists still name."""
        registered = {broker.id: broker for broker in self.cluster().brokers}
        named = {node for _, partition in self.each_partition() for node in partition.replicas}
        lost = [Broker(id=node, host="", port=-1, rack=None, fenced=True) for node in named - registered.keys()]
        return tuple(sorted([*registered.values(), *lost], key=lambda broker: broker.id))

    def release(self) -> tuple[int, ...] | None:
        """Return Kafka's release as far as the brokers' requests tell it, None if they can't be asked."""
        python = self._python_or_none()
        return None if python is None else python.release

    def is_kraft(self) -> bool:
        """Say whether the cluster runs in KRaft mode: only there brokers know DescribeQuorum."""
        python = self._python_or_none()
        if python is not None:
            return cluster_requests.is_kraft(python)
        settings, gaps = self.broker_settings()
        if not settings:
            raise CannotLook(gaps[0].reason if gaps else "no broker told its settings")
        roles = next(iter(settings.values())).get("process.roles")
        return roles is not None and bool(roles.value)

    def silence(self, broker: Broker) -> CannotLook | None:
        """Return why a broker does not answer a request of ours, or None if it does."""

        def ask() -> None:
            if not broker.host:
                raise CannotLook(f"{broker.label} holds replicas, yet is not registered in the cluster")
            python = self._python_or_none()
            if python is not None:
                python.greet(broker.id, broker.host, broker.port)
                return
            try:
                self._confluent.broker_settings(broker.id, broker.label)
            except Denied:
                return  # a refusal is an answer

        try:
            self._memory.once(f"silence {broker.id}", ask)
        except CannotLook as error:
            return error
        return None

    def silences(self, brokers: Iterable[Broker]) -> list[CannotLook | None]:
        """Ask many brokers at the same time whether they answer; see `silence`."""
        return list(self._pool.map(self.silence, brokers))

    def greeting(self, broker: Broker) -> float | None:
        """Return the seconds that a broker needed to be recognised; None if it was not, or only librdkafka asks."""
        return python.greeted_in(broker.id) if (python := self._python_or_none()) else None

    def broker_settings(self) -> tuple[dict[BrokerId, dict[str, Setting]], list[Gap]]:
        """Return the settings of each broker that answers, and a gap for each that does not."""
        return self._memory.once(
            "broker settings",
            lambda: self.of_each_broker(
                lambda broker: self._confluent.broker_settings(broker.id, broker.label, self.greeting(broker) or 0.0)
            ),
        )

    def log_dirs(self) -> tuple[dict[BrokerId, list[LogDir]], list[Gap]]:
        """Return the log directories of each broker that answers, and a gap for each that does not."""

        def ask() -> tuple[dict[BrokerId, list[LogDir]], list[Gap]]:
            python = self._python_or_raise()
            return self.of_each_broker(lambda broker: cluster_requests.describe_log_dirs(python, broker))

        return self._memory.once("log dirs", ask)

    def of_each_broker(self, ask: Callable[[Broker], T]) -> tuple[dict[BrokerId, T], list[Gap]]:
        """Ask all brokers at the same time, each in its own time; a silent one costs its answer only."""

        def one(broker: Broker) -> T | CannotLook:
            try:
                if error := self.silence(broker):
                    return error
                if broker.fenced:
                    return CannotLook(f"{broker.label} is fenced: the cluster keeps clients from it")
                return ask(broker)
            except CannotLook as error:
                return error

        brokers = self.brokers()
        answers = {broker.id: answer for broker, answer in zip(brokers, self._pool.map(one, brokers), strict=True)}
        gaps = [Gap(str(why), {"broker": node}) for node, why in answers.items() if isinstance(why, CannotLook)]
        return {node: answer for node, answer in answers.items() if not isinstance(answer, CannotLook)}, gaps

    def knock(self, addresses: Sequence[tuple[str, int]]) -> list[outsider.Entry | CannotLook]:
        """Try each host and port as somebody without credentials, all at the same time."""

        def one(address: tuple[str, int]) -> outsider.Entry | CannotLook:
            try:
                return outsider.knock(*address, self._confluent.clock)
            except CannotLook as error:
                return error

        return list(self._pool.map(one, addresses))

    # -- topics

    def topics(self) -> dict[str, list[Partition]]:
        """Return the topics that can be seen, in order of their names; `topics_gaps` says what can't be."""
        return {name: seen for name, seen in self._all_topics().items() if not isinstance(seen, CannotLook)}

    def each_partition(self) -> Iterable[tuple[str, Partition]]:
        """Yield every partition that can be seen, with its topic."""
        for name, partitions in self.topics().items():
            for partition in partitions:
                yield name, partition

    def topics_gaps(self) -> list[Gap]:
        """Return what keeps the list of topics from being proved complete."""
        hidden = self._memory.once(
            "topics hidden", lambda: visibility.hidden_topics(self._python_or_none() or self._confluent, self._denials)
        )
        refused = [(name, seen) for name, seen in self._all_topics().items() if isinstance(seen, CannotLook)]
        return [*hidden, *(Gap(str(seen), {"topic": name}) for name, seen in refused)]

    def _denials(self) -> list[Acl] | None:
        """Return every ACL, also where librdkafka alone must do: it takes a refusal for an empty list."""
        if self._python_or_none() is not None:
            return self.acls()
        if not self.cluster().describes_all:
            raise Denied("the cluster does not let us look: it needs Describe on the cluster")
        return self._confluent.acls()

    def internal_topics(self) -> frozenset[str]:
        """Return the topics that can be seen and that Kafka marks as internal."""
        return INTERNAL_TOPICS & self.topics().keys()

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

        A replica is in the ISR or eligible, never both, so a partition whose replicas are all in sync has none and
        only the topics of others are asked about.

        Raises:
            TooOld: the brokers know no eligible leader replicas (before Kafka 3.7).
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

    # -- who may do what

    def acls(self) -> list[Acl] | None:
        """Return every ACL; None if the cluster has no authorizer."""
        return self._memory.once("acls", lambda: rights_requests.describe_acls(self._python_or_raise()))

    def logins(self) -> tuple[list[Login], list[Gap]]:
        """Return the SCRAM credentials of all users, and what is not known of some."""
        return self._memory.once("logins", lambda: rights_requests.describe_logins(self._python_or_raise()))

    def quotas(self) -> list[Quota]:
        """Return every quota of users, client ids and addresses."""
        return self._memory.once("quotas", lambda: rights_requests.describe_quotas(self._python_or_raise()))

    # -- quorum, features, groups

    def quorum(self) -> Quorum:
        """Return the KRaft metadata quorum."""
        return self._memory.once("quorum", lambda: cluster_requests.describe_quorum(self._python_or_raise()))

    def features(self) -> dict[str, Feature]:
        """Return the cluster's versioned features by name; none before Kafka 2.7."""
        return self._memory.once("features", lambda: cluster_requests.describe_features(self._python_or_raise()))

    def groups(self) -> tuple[list[Group], list[Gap]]:
        """Return the consumer groups, described, and what keeps the list from being proved complete."""
        return self._memory.once("groups", self._groups)

    def _groups(self) -> tuple[list[Group], list[Gap]]:
        python = self._python_or_none()
        if python is None:
            listed, gaps = list_groups_of_all(self._confluent)
        else:
            told, silent = self.of_each_broker(lambda broker: cluster_requests.list_groups(python, broker))
            listed = [group for groups in told.values() for group in groups]
            gaps = lost_coordinators(self.topics(), silent, complete=not self.topics_gaps())
        if not self.cluster().describes_all:
            gaps += hidden_groups(self._confluent)
        return describe_groups(self._confluent, listed), gaps

    # -- offsets

    def offsets(self, names: Iterable[str], time: int) -> Places:
        """Return a place in each partition of these topics, as their leaders tell it, and what is not told.

        Args:
            names: topics that can be seen.
            time: ms since 1970, or one of the constants of `offset_requests`.
        """
        chosen = sorted(names)

        def ask() -> Places:
            partitions = [(name, partition) for name in chosen for partition in self.topics()[name]]

            def of(spots: Collection[TopicPartition] | None = None) -> Places:
                asked = [one for one in partitions if spots is None or TopicPartition(one[0], one[1].number) in spots]
                return offsets_at(self._python_or_raise(), self._pool, asked, self._by_id(), time)

            return told_at_last(of(), lambda: self._filled(chosen), of) if time == NEWEST else of()

        return self._memory.once(f"offsets {time} {chosen}", ask)

    def _filled(self, names: list[str]) -> set[TopicPartition]:
        begins, ends = self.offsets(names, EARLIEST)[0], self.offsets(names, LATEST)[0]
        return {spot for spot, end in ends.items() if spot in begins and begins[spot].offset < end.offset}

    def records(self, names: Iterable[str], bounds: Bounds) -> Records:
        """Return records of topics that can be seen, as far as may_read and bounds allow, and what was not read."""
        asked = sorted(names)

        def ask() -> Records:
            chosen, refused = self.allowance.divide(asked)
            begins, ends = self.offsets(chosen, EARLIEST), self.offsets(chosen, LATEST)
            found_spans = spans({name: self.topics()[name] for name in chosen}, begins[0], ends[0])
            found, lacking = newest(self._python_or_raise(), self._pool, found_spans, self._by_id(), bounds)
            return found, distinct([*refused, *begins[1], *ends[1], *lacking])

        return self._memory.once(f"records {bounds} {asked}", ask)

    def commits(self) -> Commits:
        """Return what each group has committed, by partition, and what is not known of that."""

        def ask() -> Commits:
            groups, gaps = self.groups()
            found, lacking = commits_of(self._python_or_raise(), self._pool, groups, self._by_id())
            return found, [*gaps, *lacking]

        return self._memory.once("commits", ask)

    def _by_id(self) -> dict[int, Broker]:
        return {broker.id: broker for broker in self.brokers()}

    # -- asking once

    def _all_topics(self) -> dict[str, list[Partition] | CannotLook]:
        # Our own client first: it says in no time, and why, if nobody is there.
        return self._memory.once("topics", lambda: topics.all_topics(self._python_or_none(), self._confluent))

    def _python_or_none(self) -> KafkaPythonClient | None:
        """Return kafka-python's client, started, or None where it can't be used and librdkafka must do."""
        return self._memory.once("start", self._start)

    def _python_or_raise(self) -> KafkaPythonClient:
        client = self._python_or_none()
        if client is None:
            raise Misconfigured(str(self._python))
        return client

    def _start(self) -> KafkaPythonClient | None:
        if isinstance(self._python, Misconfigured):
            self._confluent.keep_to_one()
            return None
        try:
            self._python.start()
        except CannotLook as error:
            if self._python.plain or isinstance(error, Misconfigured):
                raise
            # kafka-python loses the broker's words when a refused login closes the connection; librdkafka keeps them
            reason = self._confluent.why_silent()
            if reason is not None:
                raise reason if isinstance(reason, Denied) or self._confluent.heard else error from None
            self._python.close()
            self._python = Misconfigured(f"kafka-python can't connect where librdkafka can: {error}")
            self._confluent.keep_to_one()
            return None
        self._confluent.keep_to(self._python.servers, self._python.cluster_id)
        return self._python
