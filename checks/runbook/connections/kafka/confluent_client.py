"""confluent-kafka (librdkafka): metadata, settings and groups, over any security that librdkafka knows."""

import importlib
import logging
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

from runbook.connections._address import host_port
from runbook.connections.kafka.answers import Acl, Broker, Cluster, ConsumerGroup, Partition, Setting
from runbook.connections.kafka.errors import NO_CONNECTION, from_librdkafka, said_of, silence
from runbook.connections.kafka.identity import (
    INVALID_REQUEST,
    another_broker,
    refuse_another_cluster,
    refuse_several_clusters,
    strangers,
    together,
)
from runbook.connections.kafka.no_broker import others_than_brokers
from runbook.connections.kafka.properties import SERVERS, bootstrap_servers, for_librdkafka
from runbook.model.errors import CannotLook, Misconfigured
from runbook.model.probe import Clock
from runbook.model.quantity import BrokerId

_GLANCE = 0.25
_INFORMATION = 6  # of syslog: librdkafka tells a connection's end only there
_TOPICS_AT_ONCE = 200
_GROUPS_AT_ONCE = 200


class ConfluentClient:
    """An AdminClient of confluent-kafka that reads only, keeps quiet and ends in time."""

    def __init__(self, settings: Mapping[str, Any], clock: Clock) -> None:
        from confluent_kafka import KafkaException

        self.clock = clock
        self._heard: list[str] = []
        self._closed: list[str] = []
        self._addresses = bootstrap_servers(settings)
        self._servers = ", ".join(self._addresses)
        self._plain = str(settings.get("security.protocol", "plaintext")).upper().endswith("PLAINTEXT")
        self._cluster: str | None = None
        self._config = for_librdkafka(settings, clock) | {"error_cb": self._hear}
        try:
            self._client = self._admin(self._addresses)
        except (KafkaException, TypeError, ValueError) as error:
            raise Misconfigured(_no_such(error)) from None

    def keep_to(self, servers: Sequence[str], cluster: str | None) -> None:
        """Ask this cluster only, beginning at those bootstrap servers that are known to lead to it.

        librdkafka takes whichever server answers, and with it the cluster behind that server.
        """
        self._cluster = cluster
        if len(servers) < len(self._addresses):
            self._client = self._admin(servers)

    def keep_to_one(self) -> None:
        """Find out by itself to which cluster the bootstrap servers lead, and keep to that.

        Where none tells, and none is seen to be something else than a broker, the next question finds out why.

        Raises:
            Misconfigured: they lead to several.
            Unreachable: one of them is no broker, and none tells.
        """
        told = self._told() if len(self._addresses) > 1 else {}  # a single one may lead where it wants
        if told:
            refuse_several_clusters(told)
            self.keep_to(tuple(told), next(iter(told.values())).cluster_id)
        elif self._plain and (others := others_than_brokers(self._addresses, self.clock.left())):
            raise next(iter(others.values()))

    def _told(self) -> dict[str, Any]:
        """What each bootstrap server by itself answers to Metadata, of those that do so in time."""
        pool = ThreadPoolExecutor(len(self._addresses), thread_name_prefix="kafka-bootstrap")
        asked = {pool.submit(self._told_at, server): server for server in self._addresses}
        told: dict[str, Any] = {}
        began = time.monotonic()
        rest, end = set(asked), began + self.clock.request() + _GLANCE
        while rest and (left := end - time.monotonic()) > 0:
            done, rest = wait(rest, timeout=left, return_when=FIRST_COMPLETED)
            told |= {asked[one]: one.result() for one in done if one.exception() is None}
            if told:
                brokers = next(iter(told.values())).brokers.values()
                late = strangers([asked[one] for one in rest], brokers)
                patience = self.clock.request() / 2 if late else 0.0
                end = min(end, max(began + patience, time.monotonic() + together(time.monotonic() - began)))
        pool.shutdown(wait=False)
        return told

    def _told_at(self, server: str) -> Any:
        """What one bootstrap server by itself answers to Metadata: of a topic that can't be there, and so of none."""
        return self._admin([server]).list_topics(topic=uuid.uuid4().hex, timeout=self.clock.request())

    def _admin(self, servers: Sequence[str]) -> Any:
        from confluent_kafka.admin import AdminClient

        told = {"log_level": _INFORMATION, "log.connection.close": True}
        config = self._config | told | {SERVERS: ",".join(servers)}
        return AdminClient(config, logger=_listener(self._closed))

    @property
    def heard(self) -> bool:
        """Whether librdkafka said something about its connections."""
        return bool(self._heard)

    def why_silent(self) -> CannotLook | None:
        """Return why the cluster can't be reached, as soon as librdkafka knows; None if it can."""
        from confluent_kafka import KafkaException

        end = time.monotonic() + self.clock.request()
        while True:
            try:
                self._client.list_topics(timeout=_GLANCE)
            except KafkaException as error:
                reason = self._error(error, "the cluster")
                if self._heard or time.monotonic() >= end:
                    return reason
            else:
                return None

    def partitions(self, *, alone: bool = True) -> dict[str, list[Partition] | CannotLook]:
        """Return every topic that we may see, with its partitions (Metadata).

        Args:
            alone: ask once more where nobody answered, as nobody else can.
        """
        topics = self._metadata(None, again=alone)
        shared: dict[tuple[int, ...], list[BrokerId]] = {}
        seen: dict[str, list[Partition] | CannotLook] = {}
        while topics:  # emptied on the way: at 100,000 partitions two copies would matter
            name, topic = topics.popitem()
            if topic.error is not None:
                seen[name] = from_librdkafka(topic.error, f"topic {name}")
                continue
            seen[name] = [
                Partition(
                    number=partition.id,
                    leader=partition.leader,
                    replicas=shared.setdefault(tuple(partition.replicas), partition.replicas),
                    isr=shared.setdefault(tuple(partition.isrs), partition.isrs),
                )
                for _, partition in sorted(topic.partitions.items())
            ]
        return dict(sorted(seen.items()))

    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """Return the name of the error that asking about each topic gives, "" for none (Metadata)."""
        found = {name: self._metadata(name)[name].error for name in names}
        return {name: "" if error is None else str(error.name()) for name, error in found.items()}

    def acls(self) -> list[Acl]:
        """Return every ACL (DescribeAcls).

        librdkafka 2.x gives an empty list also where the cluster has no authorizer, and where it refuses: seen with a
        user without Describe on the cluster. So it proves something only for who has that right.
        """
        admin: Any = importlib.import_module("confluent_kafka.admin")  # its types leave out names that it documents
        kind, pattern = admin.ResourceType.ANY, admin.ResourcePatternType.ANY
        operation, permission = admin.AclOperation.ANY, admin.AclPermissionType.ANY
        everything = admin.AclBindingFilter(kind, None, pattern, None, None, operation, permission)
        seconds = self.clock.request()
        found = self._result(self._client.describe_acls(everything, request_timeout=seconds), seconds, "the cluster")
        return [
            Acl(
                principal=one.principal,
                host=one.host,
                operation=_words(one.operation),
                permission=_words(one.permission_type),
                resource_type=_words(one.restype),
                resource=one.name,
                pattern=_words(one.resource_pattern_type),
            )
            for one in found
        ]

    def cluster(self) -> Cluster:
        """Return the brokers that are in service and our rights (DescribeCluster)."""
        from confluent_kafka.admin import AclOperation  # type: ignore[attr-defined]  # public, yet not re-exported

        seconds = self.clock.request()
        future = self._client.describe_cluster(include_authorized_operations=True, request_timeout=seconds)
        answer = self._result(future, seconds, "the cluster")
        rights = answer.authorized_operations
        nodes = answer.nodes
        return Cluster(
            id=answer.cluster_id,
            brokers=tuple(Broker(id=n.id, host=n.host, port=n.port, rack=n.rack or "", fenced=False) for n in nodes),
            controller=BrokerId(-1) if answer.controller is None else answer.controller.id,
            describes_all=None if rights is None else AclOperation.DESCRIBE in rights,
        )

    def broker_settings(self, broker: Broker, slowness: float = 0.0) -> dict[str, Setting]:
        """Return a broker's settings, asked of the broker itself (DescribeConfigs).

        Args:
            broker: the broker.
            slowness: seconds that it needed to answer before.
        """
        from confluent_kafka.admin import ConfigResource  # type: ignore[attr-defined]  # same

        resource = ConfigResource(ConfigResource.Type.BROKER, str(broker.id))
        seconds = self.clock.request(slowness)
        (future,) = self._client.describe_configs([resource], request_timeout=seconds).values()
        entries = self._result(future, seconds, broker.label, "DescribeConfigs on the cluster", of=broker)
        return {name: _setting(entry) for name, entry in entries.items()}

    def topic_settings(self, names: list[str]) -> dict[str, dict[str, Setting] | CannotLook]:
        """Return all settings of topics (DescribeConfigs)."""
        from confluent_kafka.admin import ConfigResource  # type: ignore[attr-defined]  # same

        found: dict[str, dict[str, Setting] | CannotLook] = {}
        for start in range(0, len(names), _TOPICS_AT_ONCE):
            resources = [ConfigResource(ConfigResource.Type.TOPIC, n) for n in names[start : start + _TOPICS_AT_ONCE]]
            seconds = self.clock.request()
            for resource, future in self._client.describe_configs(resources, request_timeout=seconds).items():
                try:
                    entries = self._result(future, seconds, f"topic {resource.name}", "DescribeConfigs on the topic")
                except CannotLook as error:
                    found[resource.name] = error
                else:
                    found[resource.name] = {name: _setting(entry) for name, entry in entries.items()}
        return found

    def groups(self) -> tuple[list[ConsumerGroup], list[CannotLook]]:
        """Return the consumer groups, and what went wrong at some brokers (ListGroups)."""
        seconds = self.clock.request()
        answer = self._result(self._client.list_consumer_groups(request_timeout=seconds), seconds, "the cluster")
        nobody = BrokerId(-1)
        groups = [
            ConsumerGroup(name=g.group_id, state=_word(g.state), type=_word(g.type), coordinator=nobody)
            for g in answer.valid
        ]
        return groups, [from_librdkafka(error, "a broker") for error in answer.errors]

    def describe_groups(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what librdkafka tells of groups, or why it does not (DescribeGroups, ConsumerGroupDescribe)."""
        found: dict[str, Any] = {}
        for start in range(0, len(names), _GROUPS_AT_ONCE):
            seconds = self.clock.request()
            futures = self._client.describe_consumer_groups(
                [*names[start : start + _GROUPS_AT_ONCE]], request_timeout=seconds
            )
            for name, future in futures.items():
                try:
                    found[name] = self._result(future, seconds, f"group {name}", "Describe on the group")
                except CannotLook as error:
                    found[name] = error
        return found

    def close(self) -> None:
        """Let go of librdkafka's handle; it closes its connections by itself."""
        self._client.poll(0)

    def _metadata(self, topic: str | None, *, again: bool = True) -> dict[str, Any]:
        from confluent_kafka import KafkaException

        for last in (False, True) if again else (True,):
            seconds = self.clock.request()
            try:
                answer = self._client.list_topics(topic=topic, timeout=seconds)
            except KafkaException as error:
                reason = self._error(error, "the cluster")
                nobody = error.args[0].name() in NO_CONNECTION and not self._explanations()
                if last or not nobody or self.clock.left() < self.clock.patience:
                    raise silence(self._servers, seconds) if nobody else reason from None
            else:
                self._cluster = self._cluster or answer.cluster_id
                refuse_another_cluster(answer, self._cluster, "a broker")
                return dict(answer.topics)
        raise AssertionError("the last try returns or raises")

    def _result(
        self, future: "Future[Any]", seconds: float, label: str, right: str = "", *, of: Broker | None = None
    ) -> Any:
        """The answer to a request.

        Args:
            future: what librdkafka gives for it.
            seconds: how long it may take.
            label: who was asked, as sentences name it.
            right: what Kafka wants for the question.
            of: the only broker that was asked, if only one was.
        """
        from confluent_kafka import KafkaException

        try:
            return future.result(timeout=seconds + 0.3)
        except FutureTimeoutError:
            raise silence(label, seconds) from None
        except KafkaException as error:
            reason = error.args[0]
            other = another_broker(reason.str(), label) if of and reason.code() == INVALID_REQUEST else None
            raise other or self._error(error, label, right, of=of) from None

    def _error(self, error: Any, label: str, right: str = "", *, of: Broker | None = None) -> CannotLook:
        self._client.poll(0)
        heard = self._explanations(of)
        return from_librdkafka(error.args[0], label, heard=heard[-1] if heard else "", right=right)

    def _explanations(self, of: Broker | None = None) -> list[str]:
        """What librdkafka said about its connections, or about those to one broker; the last explains best."""
        if of:
            return said_of([*self._closed, *self._heard], host_port(of.host, of.port))
        return self._heard or [one for one in self._closed if "in state UP" not in one]  # who is idle is hung up, too

    def _hear(self, error: Any) -> None:
        """Keep what librdkafka says about its connections: the cause behind its time-outs."""
        if error.name() in {"_AUTHENTICATION", "_BAD_MSG", "_SSL", "_TRANSPORT", "_RESOLVE"}:
            self._heard.append(str(error.str()))


_SOURCES = {
    0: "UNKNOWN_CONFIG",
    1: "DYNAMIC_TOPIC_CONFIG",
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    8: "GROUP_CONFIG",
}


def _listener(closed: list[str]) -> logging.Logger:
    """A logger of librdkafka that notes connections which ended, as nothing else tells of them, and writes nothing."""
    logger = logging.Logger("runbook.librdkafka", logging.INFO)  # noqa: LOG001 - each client has its own, and no other
    logger.addHandler(logging.NullHandler())

    def note(record: logging.LogRecord) -> bool:
        _, of_a_connection, said = record.getMessage().partition("]: ")
        if of_a_connection and "Disconnected" in said:
            closed.append(said)
        return True

    logger.addFilter(note)
    return logger


def _setting(entry: Any) -> Setting:
    return Setting(entry.value, _SOURCES.get(entry.source, str(entry.source)), entry.is_sensitive, entry.is_read_only)


def _word(value: Any) -> str:
    return str(value.name).lower()


def _words(value: Any) -> str:
    """A name as Kafka writes it: DESCRIBE_CONFIGS is DescribeConfigs."""
    return "".join(part.capitalize() for part in str(value.name).split("_"))


def _no_such(error: Exception) -> str:
    text = error.args[0].str() if error.args and hasattr(error.args[0], "str") else str(error)
    if "No provider for SASL mechanism" in text:
        return (
            f"the librdkafka that is installed has no such SASL mechanism ({text.partition('No provider for ')[2]}): "
            "pip's wheel lacks GSSAPI. Install librdkafka-dev and SASL's module for GSSAPI, then "
            "pip install --no-binary confluent-kafka confluent-kafka; or use a listener with SCRAM or a certificate"
        )
    return f"librdkafka does not take these settings: {text}; its property names are those of its CONFIGURATION.md"
