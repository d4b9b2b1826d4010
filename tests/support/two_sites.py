"""Two real clusters with MirrorMaker between them, and what is done to them so that checks of dr.md pass or fail."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from confluent_kafka import Consumer
from kafka import TopicPartition
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.structs import OffsetAndMetadata

from kafka_lab import LabState, connect, mirrors, processes, registry
from kafka_lab.admin import committed, delete_group, end_offsets, kafka_python, partitions, settings
from kafka_lab.brokers import run_tool
from kafka_lab.content import GROUP, GROUP_READS, create_topics, delete_topics
from kafka_lab.inventory import write_inventory
from kafka_lab.ports import free_ports
from kafka_lab.recovery import bring_back, make_whole, wait_for_loss
from kafka_lab.state import known
from kafka_lab.waiting import wait_until
from support.one_worker import a_worker

WITHIN = 120.0  # seconds; a busy machine takes its time
SAFE = {"min.insync.replicas": "2"}

# At the primary.
RETURNED = f"{mirrors.STANDBY}.returned"
CARELESS, THIN = "careless", "thin"
LATE = "late"
# At the standby.
BOTH_READ = "payments"
READS_BOTH, READS_ONE, STANDS_BY = "reads-both", "reads-one", "stands-by"
FOLLOWED = mirrors.remote("clicks")
NEEDS_ALL = "needs-all"
OWN_WITH_ONE_COPY = "elsewhere.checkpoints.internal"
# At both.
CONNECTOR, BACK = "archive", "mirror-back"
TEXT = "org.apache.kafka.connect.storage.StringConverter"
USER, LIMIT = "ada", "producer_byte_rate"
SUBJECT = "orders-value"
SCHEMA = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
NEWER_SCHEMA = SCHEMA | {"fields": [{"name": "id", "type": "long"}, {"name": "note", "type": "string"}]}
OTHER_SCHEMA = {"type": "record", "name": "Parcel", "fields": [{"name": "weight", "type": "int"}]}

RIGHT_FLOW = {
    "source.consumer.fetch.min.bytes": "1048576",
    "source.consumer.max.poll.records": "500",
    "sync.topic.acls.enabled": "true",
    "sync.topic.acls.interval.seconds": "5",
}
WRONG_FLOW = {
    "tasks.max": "1",
    "replication.factor": "1",
    "source.consumer.fetch.min.bytes": "2",
    "source.consumer.max.poll.records": "77",
    "producer.override.compression.type": "none",
    "producer.override.batch.size": "99",
    "producer.linger.ms": "33",
    "sync.topic.configs.enabled": "false",
}


class Sites(NamedTuple):
    """The primary and the standby."""

    here: LabState
    there: LabState


@contextmanager
def as_found(lab: LabState) -> Iterator[Sites]:
    """Both sites of a lab; afterwards its inventory says again what the lab has by itself."""
    home = Path(lab.folder).parent
    here = known(lab.name, home)
    try:
        yield Sites(here, mirrors.standby_of(here))
    finally:
        write_inventory(home)


@contextmanager
def a_worker_at_the_primary(sites: Sites) -> Iterator[None]:
    """A Connect cluster of the primary's own, of one worker."""
    with a_worker(sites.here, sites.there.parts[connect.PART]["jars"], "apps-connect"):
        yield


@contextmanager
def registries(sites: Sites) -> Iterator[None]:
    """A registry at each site, which knows nothing of the other."""
    before = {site.name: {*partitions(site)} for site in sites}
    try:
        for site in sites:
            ports = free_ports(2)
            instance = registry.start_instance(site, {"api": ports[0], "management": ports[1]}, 1)
            site.parts[registry.PART] = {"instances": [instance]}
            site.save()
        for site in sites:
            registry.wait_for_instance(site, site.parts[registry.PART]["instances"][0], 1)
        yield
    finally:
        for site in sites:
            for instance in site.parts.pop(registry.PART, {"instances": []})["instances"]:
                registry.stop_instance(instance)
            site.save()
            delete_topics(site, {*partitions(site)} - before[site.name])


def make_right(sites: Sites) -> None:
    """Bring everything about which dr.md asks into being, as it should be at both sites."""
    here, there = sites
    create_topics(here, {RETURNED: (3, 3, SAFE)})
    create_topics(there, {BOTH_READ: (3, 3, SAFE)})
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(here, **RIGHT_FLOW))
    allow(here, ACLPermissionType.ALLOW, ACLOperation.READ, "orders")
    for site, topic in ((here, "clicks"), (there, FOLLOWED)):
        limit(site, 1_000_000)
        archive = connect.sink(topic, Path(site.folder, "data", "archive.txt"), **{"value.converter": TEXT})
        connect.put_connector(site, CONNECTOR, archive)
        registry.register(site, SUBJECT, json.dumps(SCHEMA))
    commit(there, READS_BOTH, {BOTH_READ: 0, mirrors.remote(BOTH_READ): 0})


def make_wrong(sites: Sites) -> None:
    """Bring everything about which dr.md asks into disorder, by as much as can be wrong at once."""
    here, there = sites
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(here, **WRONG_FLOW))
    connect.change_connector(
        there, mirrors.CHECKPOINT, mirrors.checkpoint(here, **{"sync.group.offsets.enabled": "false"})
    )
    thin = {"min.insync.replicas": "1", "max.message.bytes": "1000"}
    create_topics(there, {mirrors.remote(THIN): (3, 1, thin), OWN_WITH_ONE_COPY: (1, 1, {})})
    careless = {"min.insync.replicas": "1", "unclean.leader.election.enable": "true"}
    create_topics(here, {THIN: (3, 3, SAFE), CARELESS: (1, 1, careless)})
    allow(here, ACLPermissionType.DENY, ACLOperation.READ, "orders", user="mallory")
    limit(there, 2_000_000)
    connect.put_connector(here, BACK, _flow_back(sites))
    connect.retire_connector(there, CONNECTOR)
    registry.register(there, SUBJECT, json.dumps(OTHER_SCHEMA))
    registry.register(here, SUBJECT, json.dumps(NEWER_SCHEMA))
    commit(here, LATE, {GROUP_READS: 1})
    commit(there, GROUP, {mirrors.remote(GROUP_READS): end_offsets(there, mirrors.remote(GROUP_READS)) + 1000})
    commit(there, READS_ONE, {BOTH_READ: 0})


def misplace(sites: Sites) -> None:
    """Have the primary's Connect copy back, and the standby lack a broker and have a topic that needs it."""
    create_topics(sites.there, {NEEDS_ALL: (1, 3, {"min.insync.replicas": "3"}), BOTH_READ: (3, 3, SAFE)})
    connect.put_connector(sites.here, BACK, _flow_back(sites))
    lose_a_broker(sites.there)


@contextmanager
def put_in_place_after(sites: Sites) -> Iterator[None]:
    """Take all of that back in the end."""
    here, there = sites
    try:
        yield
    finally:
        bring_back(there)
        connect.retire_connector(here, BACK)
        delete_topics(there, [BOTH_READ, NEEDS_ALL])
        delete_topics(here, [f"{mirrors.STANDBY}.{BOTH_READ}"])
        make_whole(there)
        mirrors.wait_for_flow(here)


def lose_a_broker(there: LabState) -> None:
    """Take one of three brokers away."""
    lost = there.brokers[-1]
    processes.terminate(lost.process, patience=0)
    wait_for_loss(there, {lost.number})


@contextmanager
def restored(sites: Sites) -> Iterator[None]:
    """Undo all that makes right or wrong in the end."""
    try:
        yield
    finally:
        restore(sites)


def restore(sites: Sites) -> None:
    """Take all of it away again, and wait until the flow is as it was."""
    here, there = sites
    connect.retire_connector(here, BACK)
    for site in sites:
        connect.retire_connector(site, CONNECTOR)
        limit(site, None)
        disallow(site)
    delete_topics(here, [RETURNED, THIN, CARELESS, mirrors.STANDBY + "." + BOTH_READ])
    connect.change_connector(there, mirrors.SOURCE, mirrors.source(here))
    delete_topics(there, [BOTH_READ, OWN_WITH_ONE_COPY, mirrors.remote(THIN), mirrors.remote(CARELESS)])
    for site, groups in ((here, (LATE,)), (there, (GROUP, LATE, READS_BOTH, READS_ONE, STANDS_BY))):
        for group in groups:
            wait_until(lambda: delete_group(site, group), f"group {group} to go", within=WITHIN)  # noqa: B023
    for name, configuration in mirrors.connectors(here).items():
        connect.put_connector(there, name, configuration)
    mirrors.wait_for_flow(here)
    make_whole(there)


def _flow_back(sites: Sites) -> dict[str, str]:
    """A flow that copies one topic of the standby to the primary, and nothing else."""
    alone = {name: value for name, value in mirrors.source(sites.here).items() if not name.startswith("offset")}
    return alone | {
        "source.cluster.alias": mirrors.STANDBY,
        "target.cluster.alias": mirrors.PRIMARY,
        "source.cluster.bootstrap.servers": sites.there.bootstrap,
        "target.cluster.bootstrap.servers": sites.here.bootstrap,
        "emit.offset-syncs.enabled": "false",
        "heartbeats.replication.enabled": "false",
        "topics": BOTH_READ,
    }


@contextmanager
def standing_by(there: LabState) -> Iterator[None]:
    """A consumer at the standby that has read and committed all there is, and stays."""
    group = {"group.id": STANDS_BY, "auto.offset.reset": "earliest", "enable.auto.commit": False}
    consumer = Consumer(settings(there) | group)
    try:
        consumer.subscribe([FOLLOWED])
        wanted = end_offsets(there, FOLLOWED)

        def caught_up() -> bool:
            if consumer.consume(500, 1):
                consumer.commit(asynchronous=False)
            return committed(there, STANDS_BY, FOLLOWED) >= wanted

        wait_until(caught_up, f"{STANDS_BY} to read {FOLLOWED}", within=WITHIN)
        yield
    finally:
        consumer.close()


def commit(lab: LabState, group: str, positions: dict[str, int]) -> None:
    """Set the position of a group that has no members in the first partition of each of these topics."""
    offsets = {TopicPartition(topic, 0): OffsetAndMetadata(offset, "", -1) for topic, offset in positions.items()}
    with kafka_python(lab) as admin:
        refused = [error for error in admin.alter_group_offsets(group, offsets).values() if error.errno]
    assert refused == []


def limit(lab: LabState, rate: int | None) -> None:
    """Limit what a user may write, in bytes a second on each broker; None takes the limit away."""
    change = ["--delete-config", LIMIT] if rate is None else ["--add-config", f"{LIMIT}={rate}"]
    whose = ["--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", "users", "--entity-name", USER]
    run_tool(lab, "kafka.admin.ConfigCommand", [*whose, *change])


def limits(lab: LabState) -> str:
    """What Kafka's own tool says of limits."""
    whose = ["--bootstrap-server", lab.bootstrap, "--describe", "--entity-type", "users", "--entity-name", USER]
    return run_tool(lab, "kafka.admin.ConfigCommand", whose)


def allow(lab: LabState, what: ACLPermissionType, operation: ACLOperation, topic: str, user: str = USER) -> None:
    """Set a right on a topic."""
    with kafka_python(lab) as admin:
        answer = admin.create_acls(
            [ACL(f"User:{user}", "*", operation, what, ResourcePattern(ResourceType.TOPIC, topic))]
        )
    assert answer["failed"] == []


def disallow(lab: LabState) -> None:
    """Take all rights away."""
    every = ResourcePatternFilter(ResourceType.ANY, None, ACLResourcePatternType.ANY)
    with kafka_python(lab) as admin:
        admin.delete_acls([ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ANY, every)])
