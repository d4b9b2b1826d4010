"""confluent-kafka (librdkafka): metadata, settings and groups, over any security that librdkafka knows."""

import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import Any, Final, Self

from runbook.answers.kafka import Acl, Broker, Cluster, ConsumerGroup, GroupDescription, Partition, Setting
from runbook.answers.kafka.errors import AnotherCluster, MixedUp, NoLogin
from runbook.connections.kafka.confluent_words import (
    acl,
    any_acl,
    cluster,
    description,
    in_a_word,
    refuse_missing_files,
    refused_settings,
    setting,
)
from runbook.connections.kafka.errors import NO_CONNECTION, TELLS_THE_CAUSE, from_librdkafka, said_of, silence
from runbook.connections.kafka.identity import (
    INVALID_REQUEST,
    another_broker,
    refuse_another_cluster,
    refuse_several_clusters,
    refuse_shared_address,
)
from runbook.connections.kafka.introduction import Introduction, Introductions, listener
from runbook.connections.kafka.properties import SERVERS, bootstrap_servers, for_librdkafka, security_protocol
from runbook.formats.addresses import host_port
from runbook.model.errors import CannotLook, Denied, Misconfigured
from runbook.model.probe import Deadline
from runbook.model.quantity import BrokerId
from runbook.recording.question import question

_GLANCE = 0.25
_INFORMATION = 6  # of syslog: librdkafka tells a connection's end only there
_TOPICS_AT_ONCE = 200
_GROUPS_AT_ONCE = 200


_DIFFERENT: Final = re.compile(r'reports different ClusterId "([^"]*)"')
"""How it warns of answers of several clusters (librdkafka's `rd_kafka_parse_Metadata`)."""


class ConfluentClient:
    """An AdminClient of confluent-kafka that reads only, keeps quiet and ends in time."""

    @classmethod
    def of_recording(cls, clock: Deadline) -> Self:
        """A client that is connected to nobody, as the clock's tape has all answers."""
        client = cls.__new__(cls)
        client.clock = clock
        return client

    def __init__(self, settings: Mapping[str, Any], clock: Deadline) -> None:
        from confluent_kafka import KafkaException

        self.clock = clock
        self._heard: list[str] = []
        self._mixed: MixedUp | None = None
        self._shared: dict[int, list[int]] = {}
        self._closed: list[str] = []
        self._addresses = bootstrap_servers(settings)
        self._servers = ", ".join(self._addresses)
        self._protocol = security_protocol(settings)
        self._cluster: str | None = None
        self._config = for_librdkafka(settings, clock) | {"error_cb": self._hear}
        self._introductions = Introductions(self._config, clock)
        refuse_missing_files(settings)
        try:
            self._handle = self._admin(self._addresses)
        except (KafkaException, TypeError, ValueError) as error:
            raise Misconfigured(refused_settings(error, settings)) from None

    @property
    def _client(self) -> Any:
        """The library's handle, as long as all it knows is of one cluster."""
        self._refuse_what_is_mixed_up()
        return self._handle

    def _refuse_what_is_mixed_up(self) -> None:
        if self._mixed:
            raise self._mixed

    def leave(self, reason: CannotLook) -> None:
        """Ask nothing more, and believe no answer that is still to come.

        librdkafka takes what any address tells for its cluster's: where one leads to another cluster it may soon know
        that cluster's brokers alone.
        """
        if self.clock.tape.replays:  # what came of it is recorded
            return
        self._mixed = self._mixed or MixedUp(f"{reason}; librdkafka may mix the two up, so nothing it says is believed")

    @question("librdkafka keep to")
    def keep_to(self, servers: Sequence[str], cluster: str | None) -> None:
        """Ask this cluster only, beginning at those bootstrap servers that are known to lead to it.

        librdkafka takes whichever server answers, and with it the cluster behind that server.
        """
        self._cluster = cluster
        if len(servers) < len(self._addresses):
            self._handle = self._admin(servers)

    @question("librdkafka keep to one")
    def keep_to_one(self) -> None:
        """Find out by itself to which cluster the bootstrap servers lead, and keep to that.

        Where none tells, and it is not known why of each, the next question finds out more.

        Raises:
            Misconfigured: they lead to several.
            CannotLook: none tells, and it is known of each why, or of one that no listener of our protocol answers.
        """
        if introductions := self._introductions.of_servers(self._addresses):
            refuse_several_clusters(introductions)
            first = next(iter(introductions.values()))
            self.keep_to(tuple(introductions), first.cluster_id)
            self._meet(first)
            return
        if reason := self._introductions.why_none(self._addresses, self._protocol):
            raise reason

    def _meet(self, first: Introduction) -> None:
        """Ask at the address of each broker of which cluster it is, and wait a moment for those that tell another."""
        at = first.addresses
        self._shared = {number: [other for other in at if other != number and at[other] == at[number]] for number in at}
        for address, introduction in self._introductions.soon([*dict.fromkeys(at.values())]).items():
            with suppress(AnotherCluster):
                self._know(
                    introduction, " and ".join(f"broker {number} ({address})" for number in at if at[number] == address)
                )

    def _know(self, introduction: Any, label: str) -> None:
        """Make sure that somebody who told its cluster is of ours.

        Raises:
            AnotherCluster: it is not; nothing more is asked of anybody then.
        """
        try:
            refuse_another_cluster(introduction, self._cluster, label)
        except AnotherCluster as reason:
            self.leave(reason)
            raise

    @question("librdkafka greet")
    def greet(self, broker: Broker) -> None:
        """Make sure that a broker of this cluster answers as itself at its address.

        Raises:
            CannotLook: it does not, or nobody tells who does.
        """
        seconds = self.clock.request()
        introduction = self._introductions.at(host_port(broker.host, broker.port), seconds)
        self._know(introduction, broker.label)
        try:
            self.broker_settings(broker)
        except Denied as error:
            if introduction is not None and not isinstance(error, NoLogin):
                refuse_shared_address(broker.label, self._shared.get(broker.id, []))
            if introduction is not None or isinstance(error, NoLogin):
                raise
        if introduction is None:
            raise silence(broker.label, seconds)

    def _admin(self, servers: Sequence[str]) -> Any:
        from confluent_kafka.admin import AdminClient

        logging = {"log_level": _INFORMATION, "log.connection.close": True}
        config = self._config | logging | {SERVERS: ",".join(servers)}
        return AdminClient(config, logger=listener(self._note))

    @property
    @question("librdkafka heard")
    def heard(self) -> bool:
        """Whether librdkafka said something about its connections."""
        return bool(self._heard)

    @question("librdkafka why silent")
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

    @question("librdkafka topics")
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

    @question("librdkafka topic errors")
    def topic_errors(self, names: list[str]) -> dict[str, str]:
        """Return the name of the error that asking about each topic gives, "" for none (Metadata)."""
        found = {name: self._metadata(name)[name].error for name in names}
        return {name: "" if error is None else str(error.name()) for name, error in found.items()}

    @question("librdkafka ACLs")
    def acls(self) -> list[Acl]:
        """Return every ACL (DescribeAcls).

        librdkafka 2.x gives an empty list also where the cluster has no authorizer, and where it refuses: seen with a
        user without Describe on the cluster. So it proves something only for who has that right.
        """
        seconds = self.clock.request()
        found = self._result(self._client.describe_acls(any_acl(), request_timeout=seconds), seconds, "the cluster")
        return [acl(entry) for entry in found]

    @question("librdkafka cluster")
    def cluster(self) -> Cluster:
        """Return the brokers that are in service and our rights (DescribeCluster)."""
        seconds = self.clock.request()
        future = self._client.describe_cluster(include_authorized_operations=True, request_timeout=seconds)
        answer = self._result(future, seconds, "the cluster")
        return cluster(answer)

    @question("librdkafka broker settings", without=("slowness",))
    def broker_settings(self, broker: Broker, slowness: float = 0.0) -> dict[str, Setting]:
        """Return a broker's settings, asked of the broker itself (DescribeConfigs).

        Args:
            broker: the broker.
            slowness: seconds that it needed to answer before.
        """
        from confluent_kafka.admin import ConfigResource  # type: ignore[attr-defined]  # public, yet not re-exported

        resource = ConfigResource(ConfigResource.Type.BROKER, str(broker.id))
        seconds = self.clock.request(slowness)
        (future,) = self._client.describe_configs([resource], request_timeout=seconds).values()
        entries = self._result(future, seconds, broker.label, "DescribeConfigs on the cluster", of=broker)
        return {name: setting(entry) for name, entry in entries.items()}

    @question("librdkafka topic settings")
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
                    found[resource.name] = {name: setting(entry) for name, entry in entries.items()}
        return found

    @question("librdkafka groups")
    def groups(self) -> tuple[list[ConsumerGroup], list[CannotLook]]:
        """Return the consumer groups, and what went wrong at some brokers (ListGroups)."""
        seconds = self.clock.request()
        answer = self._result(self._client.list_consumer_groups(request_timeout=seconds), seconds, "the cluster")
        nobody = BrokerId(-1)
        groups = [
            ConsumerGroup(name=g.group_id, state=in_a_word(g.state), type=in_a_word(g.type), coordinator=nobody)
            for g in answer.valid
        ]
        return groups, [from_librdkafka(error, "a broker") for error in answer.errors]

    @question("librdkafka describe groups")
    def describe_groups(self, names: Sequence[str]) -> dict[str, GroupDescription | CannotLook]:
        """Return what librdkafka tells of groups, or why it does not (DescribeGroups, ConsumerGroupDescribe)."""
        found: dict[str, GroupDescription | CannotLook] = {}
        for start in range(0, len(names), _GROUPS_AT_ONCE):
            seconds = self.clock.request()
            futures = self._client.describe_consumer_groups(
                [*names[start : start + _GROUPS_AT_ONCE]], request_timeout=seconds
            )
            for name, future in futures.items():
                try:
                    answer = self._result(future, seconds, f"group {name}", "Describe on the group")
                    found[name] = description(answer)
                except CannotLook as error:
                    found[name] = error
        return found

    def close(self) -> None:
        """Let go of librdkafka's handle; it closes its connections by itself."""
        if self.clock.tape.replays:
            return
        self._handle.poll(0)

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
                self._know(answer, "a broker")
                self._hear_out()
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
            answer = future.result(timeout=seconds + 0.3)
        except FutureTimeoutError:
            raise silence(label, seconds) from None
        except KafkaException as error:
            reason = error.args[0]
            other = another_broker(reason.str(), label) if of and reason.code() == INVALID_REQUEST else None
            raise other or self._error(error, label, right, of=of) from None
        self._hear_out()
        return answer

    def _hear_out(self) -> None:
        """Have librdkafka say what it has to say; nothing that it answered counts if it met several clusters.

        Raises:
            MixedUp: it did.
        """
        self._handle.poll(0)
        self._refuse_what_is_mixed_up()

    def _error(self, error: Any, label: str, right: str = "", *, of: Broker | None = None) -> CannotLook:
        self._hear_out()
        heard = self._explanations(of)
        return from_librdkafka(error.args[0], label, heard=heard[-1] if heard else "", right=right)

    def _explanations(self, of: Broker | None = None) -> list[str]:
        """What librdkafka said about its connections, or about those to one broker; the last explains best."""
        if of:
            return said_of([*self._closed, *self._heard], host_port(of.host, of.port))
        return self._heard or [
            line for line in self._closed if "in state UP" not in line
        ]  # who is idle is hung up, too

    def _hear(self, error: Any) -> None:
        """Keep what librdkafka says about its connections: the cause behind its time-outs."""
        if error.name() in TELLS_THE_CAUSE:
            self._heard.append(str(error.str()))

    def _note(self, words: str) -> None:
        """Keep what librdkafka says of connections that ended, as nothing else tells of them, and of other clusters."""
        _, of_a_connection, said = words.partition("]: ")
        if of_a_connection and "Disconnected" in said:
            self._closed.append(said)
        if other := _DIFFERENT.search(said):
            self.leave(AnotherCluster(f"at a broker's address another cluster answers, whose id is {other[1]}"))
