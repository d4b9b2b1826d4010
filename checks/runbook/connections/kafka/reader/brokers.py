"""The brokers, one by one."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from runbook.answers.kafka import AnswerTimes, Broker, LogDir, ReplicaSize, Setting
from runbook.answers.kafka.errors import BY_CHANCE, AnotherCluster, NoLogin, NotRegistered
from runbook.connections.kafka import anonymous_access, cluster_requests
from runbook.connections.kafka.broker_liveness import lost
from runbook.connections.kafka.cluster_requests import describe_replicas
from runbook.connections.kafka.reader.cluster import ClusterReader
from runbook.model.errors import CannotLook, Denied
from runbook.model.fact import Gap
from runbook.model.quantity import BrokerId
from runbook.model.sentence import shown

T = TypeVar("T")


class _Attempt(Struct, frozen=True):
    """What came of asking a broker: why it does not answer, if it does not, and the seconds that took."""

    error: CannotLook | None
    seconds: float | None = None


class Brokers(ClusterReader):
    """Which brokers there are, which of them answer, and what each tells of itself."""

    def brokers(self) -> tuple[Broker, ...]:
        """Return the registered brokers and those that only replica lists still name."""
        registered = {broker.id: broker for broker in self.cluster().brokers}
        named = {node for _, partition in self.each_partition() for node in partition.replicas}
        lost = [Broker(id=node, host="", port=-1, rack=None, fenced=True) for node in named - registered.keys()]
        return tuple(sorted([*registered.values(), *lost], key=lambda broker: broker.id))

    def _by_id(self) -> dict[int, Broker]:
        return {broker.id: broker for broker in self.brokers()}

    def silence(self, broker: Broker) -> CannotLook | None:
        """Return why a broker does not answer a request of ours, or None if it does."""
        return self._attempt(broker).error

    def waited(self, broker: Broker) -> float | None:
        """Return the seconds until a broker had answered, or failed to; None if nothing was tried."""
        return self._attempt(broker).seconds

    def _attempt(self, broker: Broker) -> _Attempt:
        return self._memory.once(f"attempt {broker.id}", lambda: self._try(broker))

    def _try(self, broker: Broker) -> _Attempt:
        if not broker.host:
            return _Attempt(NotRegistered(f"{broker.label} holds replicas, yet is not registered in the cluster"))
        left, python, error = self.clock.left(), None, None
        try:
            python = self._python_or_none()
            if python is not None:
                python.greet(broker.id, broker.host, broker.port)
            else:
                self._confluent.greet(broker)
        except CannotLook as reason:
            if isinstance(reason, AnotherCluster):
                self._confluent.leave(reason)
            refused = isinstance(reason, Denied) and not isinstance(reason, NoLogin)
            error = None if refused else self._proved(reason)  # a refusal is an answer
        return _Attempt(error, python.waited(broker.id) if python is not None else left - self.clock.left())

    def _proved(self, reason: CannotLook) -> CannotLook:
        if self._loses_requests and isinstance(reason, BY_CHANCE):
            return lost(reason, "librdkafka was answered where kafka-python was not")
        return reason

    def silences(self, brokers: Iterable[Broker]) -> list[CannotLook | None]:
        """Ask many brokers at the same time whether they answer; see `silence`."""
        return list(self._pool.map(self.silence, brokers))

    def greeting(self, broker: Broker) -> float | None:
        """Return the seconds that a broker needed to be recognised; None if it was not, or only librdkafka asks."""
        return python.greeted_in(broker.id) if (python := self._python_or_none()) else None

    def answer_times(self) -> tuple[dict[BrokerId, AnswerTimes], list[Gap]]:
        """Return how each broker that answers does so, request by request, and a gap for each that does not."""
        python = self._python_or_raise()
        return self._memory.once(
            "answer times", lambda: self.of_each_broker(lambda broker: python.answer_times(broker.id))
        )

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
        gaps = [Gap.of(why, {"broker": node}) for node, why in answers.items() if isinstance(why, CannotLook)]
        return {node: answer for node, answer in answers.items() if not isinstance(answer, CannotLook)}, gaps

    def broker_settings(self) -> tuple[dict[BrokerId, dict[str, Setting]], list[Gap]]:
        """Return the settings of each broker that answers, and a gap for each that does not."""
        return self._memory.once(
            "broker settings",
            lambda: self.of_each_broker(
                # not made up: time that a request gets beyond its own; no cell
                lambda broker: self._confluent.broker_settings(broker, self.greeting(broker) or 0.0)
            ),
        )

    def loggers(self) -> tuple[dict[BrokerId, dict[str, str]], list[Gap]]:
        """Return the levels of each broker's loggers by their names, and a gap for each broker that does not tell."""
        python = self._python_or_raise()
        return self.of_each_broker(lambda broker: cluster_requests.describe_loggers(python, broker))

    def is_kraft(self) -> bool:
        """Say whether the cluster runs in KRaft mode: only there brokers know DescribeQuorum."""
        python = self._python_or_none()
        if python is not None:
            return cluster_requests.is_kraft(python)
        settings, gaps = self.broker_settings()
        if not settings:
            raise CannotLook(shown(gaps[0].reason) if gaps else "no broker reported its settings")
        roles = next(iter(settings.values())).get("process.roles")
        return roles is not None and bool(roles.value)

    def log_dirs(self) -> tuple[dict[BrokerId, list[LogDir]], list[Gap]]:
        """Return the log directories of each broker that answers, and a gap for each that does not."""

        def ask() -> tuple[dict[BrokerId, list[LogDir]], list[Gap]]:
            python = self._python_or_raise()
            return self.of_each_broker(lambda broker: cluster_requests.describe_log_dirs(python, broker))

        return self._memory.once("log dirs", ask)

    def replica_sizes(self) -> tuple[dict[BrokerId, list[ReplicaSize]], list[Gap]]:
        """Return the replicas of each broker, none that is still being moved there, and a gap for what is not told."""
        python = self._python_or_raise()
        answers, gaps = self.of_each_broker(lambda broker: describe_replicas(python, broker))
        lost = [gap for sizes in answers.values() for gap in sizes.gaps]
        return {broker: sizes.sizes for broker, sizes in answers.items()}, [*gaps, *lost]

    def try_anonymous(
        self, addresses: Sequence[tuple[str, int]]
    ) -> list[anonymous_access.AnonymousAccess | CannotLook]:
        """Try each host and port as somebody without credentials, all at the same time."""

        def one(address: tuple[str, int]) -> anonymous_access.AnonymousAccess | CannotLook:
            try:
                return anonymous_access.try_anonymous(*address, self._confluent.clock)
            except CannotLook as error:
                return error

        return list(self._pool.map(one, addresses))
