"""What a real, guarded broker shows to whom: without rights Kafka answers with less and reports no error."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from kafka_lab import LabState
from kafka_lab.ports import free_ports
from runbook.connections.kafka import Kafka, connect
from runbook.java import find_java
from runbook.model.errors import CannotLook, Denied
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from runbook.probes import kafka_record
from support.documented_rights import documented_rights, kafka_probes
from support.kafka_libraries import BY_LIBRARY, LIBRDKAFKA_ALONE

pytestmark = pytest.mark.live

USERS = ("admin", "reader", "recorder", "some", "blind", "denied", "prefixed", "topics")
LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required username=admin password=admin-secret"
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=SASL_PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=SASL_PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN
sasl.mechanism.inter.broker.protocol=PLAIN
security.inter.broker.protocol=SASL_PLAINTEXT
listener.name.sasl_plaintext.plain.sasl.jaas.config={login};
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:admin;User:ANONYMOUS
log.dirs={data}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
log.cleaner.dedupe.buffer.size=10485760
"""
As = Callable[..., Kafka]


def settings(port: int, user: str, password: str | None = None) -> dict[str, Any]:
    return {
        "bootstrap.servers": f"127.0.0.1:{port}",
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.username": user,
        "sasl.password": password or f"{user}-secret",
    }


@pytest.fixture(scope="module")
def guarded(lab: LabState, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """One broker with logins and ACLs, holding the topics `open` and `secret` and groups `g1` and `g2`; its port."""
    folder = tmp_path_factory.mktemp("guarded")
    port, controller = free_ports(2)
    users = " ".join(f'user_{user}="{user}-secret"' for user in USERS)
    properties = folder / "server.properties"
    login = f"{LOGIN} {users}"
    properties.write_text(PROPERTIES.format(port=port, controller=controller, data=folder / "data", login=login))
    java = [str(find_java()), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{lab.jars}/*"]
    format_ = [*java, "kafka.tools.StorageTool", "format", "-t", "BAAAAAAAQACAAAAAAAAAAQ", "-c", str(properties)]
    subprocess.run(format_, check=True, capture_output=True, timeout=800)
    with (folder / "log").open("w") as log:
        broker = subprocess.Popen([*java, "kafka.Kafka", str(properties)], stdout=log, stderr=log)
    try:
        wait_for(port)
        fill(port)
        yield port
    finally:
        broker.kill()
        broker.wait()


def wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        kafka = connect(settings(port, "admin"), Deadline(6))
        try:
            with suppress(CannotLook):
                kafka.quorum()
                return
        finally:
            kafka.close()
        time.sleep(0.3)
    raise AssertionError("the guarded broker did not start")


def fill(port: int) -> None:
    from confluent_kafka import Consumer, Producer, TopicPartition
    from confluent_kafka.admin import (
        AclBinding,
        AclOperation,
        AclPermissionType,
        AdminClient,
        NewTopic,
        ResourcePatternType,
        ResourceType,
    )

    def allow(user: str, kind: ResourceType, name: str, operation: AclOperation) -> AclBinding:
        literal, allowed = ResourcePatternType.LITERAL, AclPermissionType.ALLOW
        return AclBinding(kind, name, literal, f"User:{user}", "*", operation, allowed)

    def deny(user: str, name: str, operation: AclOperation, pattern: ResourcePatternType) -> AclBinding:
        return AclBinding(ResourceType.TOPIC, name, pattern, f"User:{user}", "*", operation, AclPermissionType.DENY)

    admin = AdminClient(settings(port, "admin"))
    see = AclOperation.DESCRIBE
    kinds = {
        "topic": ResourceType.TOPIC,
        "cluster": ResourceType.BROKER,
        "group": ResourceType.GROUP,
        "transactional_id": ResourceType.TRANSACTIONAL_ID,
    }
    operations = {"Describe": see, "DescribeConfigs": AclOperation.DESCRIBE_CONFIGS}
    rights = [
        allow("some", ResourceType.TOPIC, "open", see),
        allow("some", ResourceType.GROUP, "g1", see),
        *(
            allow(user, kinds[right.kind], right.name, operations[right.operation])
            for user in ("reader", "recorder", "denied", "prefixed")
            for right in documented_rights()
        ),
        allow("topics", ResourceType.TOPIC, "*", see),
        deny("denied", "secret", see, ResourcePatternType.LITERAL),
        deny("prefixed", "sec", AclOperation.ALL, ResourcePatternType.PREFIXED),
        deny("reader", "secret", AclOperation.WRITE, ResourcePatternType.LITERAL),
        allow("recorder", ResourceType.TOPIC, "open", AclOperation.READ),
    ]
    topics = admin.create_topics([NewTopic("open", 2, 1), NewTopic("secret", 1, 1)])
    for future in (*topics.values(), *admin.create_acls(rights).values()):
        future.result(timeout=30)
    producer = Producer(settings(port, "admin"))
    producer.produce("open", b"hello", partition=0)
    assert producer.flush(30) == 0
    for group in ("g1", "g2"):
        consumer = Consumer({**settings(port, "admin"), "group.id": group})
        consumer.commit(offsets=[TopicPartition("open", 0, 0)], asynchronous=False)
        consumer.close()


@pytest.fixture
def as_user(guarded: int) -> Iterator[As]:
    """Connect to the guarded broker as one of its users."""
    made: list[Kafka] = []

    def log_in(user: str, password: str | None = None) -> Kafka:
        made.append(connect(settings(guarded, user, password), Deadline(6)))
        return made[-1]

    yield log_in
    for kafka in made:
        kafka.close()


def test_describe_rights_are_enough_to_see_everything(as_user: As):
    kafka = as_user("reader")
    assert {"open", "secret"} <= set(kafka.topics())
    assert kafka.topics_gaps() == []
    groups, gaps = kafka.groups()
    assert ([group.name for group in groups], gaps) == (["g1", "g2"], [])
    for by_broker, missing in (kafka.broker_settings(), kafka.log_dirs()):
        assert (list(by_broker), missing) == ([1], [])
    assert kafka.quorum().leader == 1
    assert kafka.reassignments() == []


@pytest.mark.parametrize("probe", kafka_probes())
def test_the_rights_that_the_page_gives_are_enough_for_every_probe(as_user: As, probe: str):
    module = catalog("probes").load(probe)
    fact = tabulate(probe, module.PROBE.columns, module.observe(as_user("reader")))
    assert fact.complete, fact.gaps


@pytest.mark.parametrize(("user", "enough"), [("recorder", True), ("reader", False)])
def test_reading_records_takes_read_on_just_their_topics(guarded: int, user: str, *, enough: bool):
    kafka = connect(settings(guarded, user) | {"may_read": ["open"]}, Deadline(10))
    try:
        fact = tabulate("kafka_record", kafka_record.PROBE.columns, kafka_record.observe(kafka))
    finally:
        kafka.close()
    assert ([row["value_size"] for row in fact.rows()], fact.complete) == (([5], True) if enough else ([], False))


def test_some_rights_show_some_names_and_prove_no_completeness(as_user: As):
    kafka = as_user("some")
    assert list(kafka.topics()) == ["open"]
    assert [gap.reason for gap in kafka.topics_gaps()] == [
        "topics may be hidden from us: we have no Describe on all topics"
    ]
    groups, gaps = kafka.groups()
    assert [group.name for group in groups] == ["g1"]
    assert [gap.reason for gap in gaps] == [
        "groups may be hidden from us: we have Describe neither on the cluster nor on all groups"
    ]
    [refused] = kafka.topic_settings().values()
    assert isinstance(refused, Denied)
    assert str(refused) == "topic open does not let us look: it needs DescribeConfigs on the topic"


DENIED = {
    "denied": "topics are hidden from us by a DENY, if they exist: secret",
    # That somebody else is denied the second is what makes it asked for; the prefix keeps us out of it too.
    "prefixed": "topics are hidden from us by a DENY, if they exist: sec*, secret",
    "topics": "topics may be hidden from us by a DENY, as the ACLs can't be read: "
    "the cluster does not let us look: it needs Describe on the cluster",
}


@BY_LIBRARY
@pytest.mark.parametrize("user", DENIED)
def test_a_topic_that_an_acl_hides_leaves_a_gap_though_names_that_can_not_exist_are_unknown(
    guarded: int, user: str, more: dict[str, str]
):
    kafka = connect({**settings(guarded, user), **more}, Deadline(6))
    try:
        assert ("secret" in kafka.topics()) == (user == "topics")
        assert [gap.reason for gap in kafka.topics_gaps()] == [DENIED[user]]
    finally:
        kafka.close()


def test_no_rights_look_empty_and_are_told_as_gaps(as_user: As):
    kafka = as_user("blind")
    assert kafka.topics() == {}
    assert len(kafka.topics_gaps()) == 1
    groups, gaps = kafka.groups()
    assert (groups, len(gaps)) == ([], 1)
    settings, settings_missing = kafka.broker_settings()
    assert settings == {}
    assert "it needs DescribeConfigs on the cluster" in settings_missing[0].reason
    log_dirs, log_dirs_missing = kafka.log_dirs()
    assert log_dirs == {}
    assert "it needs Describe on the cluster" in log_dirs_missing[0].reason
    for ask in (kafka.quorum, kafka.reassignments):
        with pytest.raises(Denied, match="it needs Describe on the cluster"):
            ask()


def test_a_wrong_password_is_denied_and_not_told(as_user: As):
    kafka = as_user("admin", "wrong-secret")
    with pytest.raises(Denied, match="did not accept our credentials") as caught:
        kafka.cluster()
    assert "wrong-secret" not in str(caught.value)


def test_settings_that_only_librdkafka_can_use_see_the_same_topics_and_groups(guarded: int):
    kafka = connect({**settings(guarded, "reader"), **LIBRDKAFKA_ALONE}, Deadline(6))
    try:
        assert {"open", "secret"} <= set(kafka.topics())
        assert kafka.topics_gaps() == []
        groups, gaps = kafka.groups()
        assert ([group.name for group in groups], gaps) == (["g1", "g2"], [])
        assert kafka.topic_settings().keys() == kafka.topics().keys()
        assert kafka.is_kraft()
    finally:
        kafka.close()
