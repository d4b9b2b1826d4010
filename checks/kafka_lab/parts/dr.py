"""A second site: a cluster that stands by, and MirrorMaker 2 there, which copies the first one over a link.

The lab's own cluster is the primary. The standby has three brokers in racks of its own and two workers of Kafka
Connect with MirrorMaker's connectors; they reach the primary over a link that can be cut (see link.py).
"""

from pathlib import Path
from typing import Any, Final

from kafka_lab import connect, link, mirrors, processes
from kafka_lab.brokers import format_all
from kafka_lab.brokers import start as start_broker
from kafka_lab.configuration import new_id
from kafka_lab.configuration import planned as planned_brokers
from kafka_lab.content import GROUP, create_topics, write_some
from kafka_lab.errors import LabError
from kafka_lab.inventory import environment as described
from kafka_lab.jars import KAFKA_VERSION, LOGGING, Jar, Wanted, fetch_jars
from kafka_lab.parts import Progress, jmx
from kafka_lab.places import set_aside_logs
from kafka_lab.ports import free_ports
from kafka_lab.state import LabBroker, LabState, read
from kafka_lab.waiting import wait_for_brokers, wait_for_full_isr
from runbook.folders import cache_folder

HELP: Final = "a second cluster that stands by, and MirrorMaker 2 on two workers of Kafka Connect between them"
NOT_WITH: Final = ("hosts", "security", "stretched", "zookeeper")
"""Their brokers have listeners or places of their own, in which the link has no part."""

_RACKS: Final = ("dr-a", "dr-b", "dr-c")
_WORKERS_HEAP: Final = "256m"
_GROUP: Final = "mirrors-connect"
_UP_WITHIN = 180.0
MIRRORMAKER: Final = Wanted(
    f"MirrorMaker {KAFKA_VERSION}",
    f"mirror-file-{KAFKA_VERSION}",
    "33 MB",
    (
        Jar("org.apache.kafka", "connect-runtime", KAFKA_VERSION),
        Jar("org.apache.kafka", "connect-mirror", KAFKA_VERSION),
        Jar("org.apache.kafka", "connect-file", KAFKA_VERSION),  # connectors of applications, which are to be there too
        LOGGING,
    ),
)
_COMPACT = {"cleanup.policy": "compact", "min.insync.replicas": "2"}
_INTERNAL = {
    mirrors.CHANGELOG: (3, 3, _COMPACT),
    "connect-configs": (1, 3, _COMPACT),
    "connect-offsets": (25, 3, _COMPACT),
    "connect-status": (5, 3, _COMPACT),
}
"""What Kafka Streams and Kafka Connect at the primary keep for themselves; it must not be copied."""
_RIGHTS = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
"""Both sites hold rights, so that they can be compared; whoever comes from this machine may do everything."""


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch MirrorMaker, choose the ports of the link, and start the standby's brokers beside those of the primary.

    Raises:
        LabError: It could not be fetched, a broker not be formatted, or the standby's name is taken.
    """
    name = f"{lab.name}-{mirrors.STANDBY}"
    if read(name, Path(lab.folder).parent) is not None:
        raise LabError(f"The standby of lab {lab.name} would be called {name}, as another lab is: choose another name")
    jars = fetch_jars(MIRRORMAKER, cache_folder(), progress)
    agents = jmx.fetch_agents(progress)
    folder = Path(lab.folder, mirrors.STANDBY)
    there = LabState(
        name=name,
        folder=str(folder),
        cluster_id=new_id(),
        kafka=lab.kafka,
        jars=lab.jars,
        brokers=planned_brokers(len(_RACKS), _RACKS),
        parts={
            link.PART: {"stands_by": True},
            connect.PART: {"jars": str(jars.absolute()), "workers": [], "group": _GROUP},
        },
    )
    set_aside_logs(folder)
    there.save()
    lab.beside = [mirrors.STANDBY]  # noted before anything runs there
    lab.save()
    progress(f"Formatting and starting {len(there.brokers)} brokers of the standby")
    format_all(there)
    for broker in there.brokers:
        start_broker(there, broker)
    ports = free_ports(connect.COUNT)
    return {"link": link.planned(lab), "agents": str(agents.absolute()), "jolokia": ports}


def broker_settings(lab: LabState, broker: LabBroker) -> dict[str, Any]:
    """An authorizer, and the primary's listener for the link."""
    listener = {} if "stands_by" in lab.parts[link.PART] else link.listener(lab, broker)
    return _RIGHTS | listener


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the link and the workers, give them their connectors, and return when all comes through.

    Raises:
        LabError: Something did not come up, or did not come through.
    """
    state = lab.parts[link.PART]
    there = mirrors.standby_of(lab)
    wait_for_brokers(there, within=_UP_WITHIN)
    progress("Starting the link and two workers of Kafka Connect for MirrorMaker")
    create_topics(lab, _INTERNAL)
    write_some(lab, mirrors.CHANGELOG)
    link.start(lab)
    workers = connect.planned()
    for worker, port in zip(workers, state["jolokia"], strict=True):
        worker.options = [f"-Xmx{_WORKERS_HEAP}", jmx.jolokia_agent(state["agents"], port)]
        connect.start(there, worker)
        connect.note(there, workers)
    connect.wait_for_workers(there, workers)
    progress("Waiting until topics, heartbeats and offsets come to the standby")
    mirrors.start(lab)
    wait_for_full_isr(there)
    return lab.parts[link.PART]


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End the link. The standby is stopped with the clusters of the lab, and its workers with it."""
    del lab
    if "link" in state:
        link.stop(state["link"])


def bring_back(lab: LabState, state: dict[str, Any]) -> None:
    """Start the link and the workers again where they were lost.

    Raises:
        LabError: They do not come up.
    """
    del state
    link.start(lab)
    there = mirrors.standby_of(lab)
    workers = connect.workers_of(there)
    for worker in workers:
        if processes.condition(worker.process) == "stopped":
            connect.start(there, worker)
            connect.note(there, workers)
    connect.wait_for_workers(there, workers)


def environment(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The records in which MirrorMaker keeps positions may be read, at either site."""
    del lab, state
    return {"may_read": ["*.internal"]}


def environments(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The standby, with its workers and what they measure."""
    there = mirrors.standby_of(lab)
    names = [worker.name for worker in connect.workers_of(there)]
    agents = {name: f"http://127.0.0.1:{port}/jolokia" for name, port in zip(names, state["jolokia"], strict=True)}
    return {there.name: described(there, {"jolokia": {"applications": agents}})}


def links(lab: LabState, state: dict[str, Any]) -> list[dict[str, Any]]:
    """The link between the two, and what it is meant to do."""
    del state
    declared = {
        "alias": mirrors.PRIMARY,
        "target_alias": mirrors.STANDBY,
        "groups": [GROUP],
        "promises": [{"rpo": "1m", "rto": "15m"}],
    }
    return [{"from": lab.name, "to": mirrors.standby_of(lab).name, "kind": "mm2", **declared}]
