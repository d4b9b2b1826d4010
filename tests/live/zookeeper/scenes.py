"""Kafka 3.9 in ZooKeeper mode with three ZooKeeper servers: what is said when all is well, and when not."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, break_, heal, zookeeper
from kafka_lab.parts.zookeeper import RELEASE
from kafka_lab.state import known
from kafka_lab.zookeeper_words import in_sync
from support.built_in import checks_of
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, inventory_of, none_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene
from support.leaked_sessions import leaked, refuses
from support.zookeeper_tls import encrypt, encrypted, restore

ANY: Final = ("pass", "fail", "unknown", "not_applicable")
BY_CHANCE: Final = frozenset({"log-directories-have-room"})  # how full this machine's disk is decides

OF_THE_ENSEMBLE: Final = frozenset(
    {
        "zookeeper-has-a-quorum",
        "zookeeper-outlives-any-one-server",
        "every-zookeeper-server-answers",
        "every-zookeeper-server-serves",
        "one-zookeeper-leads-and-the-others-follow",
        "zookeeper-has-three-or-five-servers",
        "zookeeper-servers-know-the-same-members",
        "zookeeper-servers-stand-apart",
        "zookeeper-is-not-on-brokers-machines",
        "zookeeper-serves-this-kafka-only",
        "addresses-have-zookeeper-connections-left",
        "a-shared-zookeeper-is-divided",
        "brokers-know-enough-zookeeper-servers",
    }
)
KRAFT_ONLY: Final = frozenset(
    {
        "one-controller-is-active",
        "controllers-are-three-or-five",
        "controllers-keep-up",
        "controllers-outlive-any-one-node",
        "controllers-outlive-any-rack",
        "eligible-leader-replicas-are-on",
        "brokers-are-not-declared-dead-too-soon",
    }
)
NEEDS_EVERY_SERVER: Final = frozenset(
    {
        "every-zookeeper-server-serves",
        "zookeeper-servers-are-quick",
        "zookeeper-servers-know-the-same-members",
        "zookeeper-servers-stand-apart",
        "zookeeper-is-not-on-brokers-machines",
        "zookeeper-serves-this-kafka-only",
        "addresses-have-zookeeper-connections-left",
        "a-shared-zookeeper-is-divided",
    }
)
_IN_ZOOKEEPER_MODE: Final = {"the-cluster-runs-kraft": ""}


def systems() -> dict[str, str]:
    """What such a lab runs; this Kafka brings its ZooKeeper with it."""
    return {"kafka": RELEASE.version}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers and three ZooKeeper servers."""
    return kafka_lab("zookeeper", folder, ["zookeeper"])


def passwords(lab: LabState) -> list[str]:
    """Of the lab's own user and of the brokers."""
    return [*json.loads(Path(lab.folder, "config", "zookeeper-passwords.json").read_text("utf-8")).values()]


# -- servers are lost

_WELL = Expected(fails=_IN_ZOOKEEPER_MODE, passes=OF_THE_ENSEMBLE, inapplicable=KRAFT_ONLY, undetermined=BY_CHANCE)
_ONE_SERVER_LOST = Expected(
    fails=_IN_ZOOKEEPER_MODE
    | {
        "every-zookeeper-server-answers": "zk-2",
        "zookeeper-outlives-any-one-server": "",
        "one-zookeeper-leads-and-the-others-follow": "zk-2",
    },
    unknown=NEEDS_EVERY_SERVER,
    passes=frozenset({"zookeeper-has-a-quorum"}),
    inapplicable=KRAFT_ONLY,
    undetermined=BY_CHANCE,
)
_ALL_OF_HA = frozenset(check.id for check in checks_of("ha") if not check.gate)
_WITHOUT_SERVERS = {"every-zookeeper-server-answers": ("zk-2", "zk-3"), "every-zookeeper-server-serves": "zk-1"}
_NO_MAJORITY = Expected(
    fails=_WITHOUT_SERVERS,
    unknown=OF_THE_ENSEMBLE - _WITHOUT_SERVERS.keys() - {"brokers-know-enough-zookeeper-servers"},
    # Brokers keep a thread for each request that waits for the ensemble: which of them still answer others is chance.
    undetermined=_ALL_OF_HA - OF_THE_ENSEMBLE,
    others=ANY,
)

SERVERS_LOST = [
    fault_scene(fault, {"ha": _WELL}, {"ha": lost}, secrets=passwords, module=__name__)
    for fault, lost in {
        "stop-zookeeper": _ONE_SERVER_LOST,
        "freeze-zookeeper": _ONE_SERVER_LOST,
        "lose-ensemble": _NO_MAJORITY,
    }.items()
]

# -- connections of one address are used up

_REFUSED = Expected(
    fails={"addresses-have-zookeeper-connections-left": "zk-", "every-broker-answers": "2"},
    passes=frozenset({"every-zookeeper-server-answers"}),
    others=ANY,
)
_CLOSED_TO_US = Expected(
    fails={"every-zookeeper-server-answers": ("zk-1", "zk-2", "zk-3"), "every-broker-answers": "2"},
    unknown=frozenset({"addresses-have-zookeeper-connections-left", "zookeeper-has-a-quorum"}),
    others=ANY,
)


@scene({"used-up": {"ha": _REFUSED}, "asked-from-there": {"ha": _CLOSED_TO_US}, "ended": {"ha": _WELL}})
def leaked_sessions(lab: LabState, folder: Path) -> Iterator[State]:
    """A client leaks sessions while broker 2 is away, seen by admin servers, then by words from its address."""
    del folder
    name, home = lab.name, Path(lab.folder).parent
    servers = zookeeper.servers_of(known(name, home))

    def claims() -> Mapping[str, bool]:
        return {claim: holds for server in servers for claim, holds in refuses(server).items()}

    hidden = passwords(lab)
    try:
        break_(name, "stop-broker", home=home)
        with leaked(servers):
            by_words = inventory_of(known(name, home))
            by_admin = deepcopy(by_words)
            for server in servers:
                of_it = by_admin["environments"][name]["zookeeper"]["servers"][server.name]
                of_it["admin"] = f"http://127.0.0.1:{server.admin_port}"
            yield State("used-up", by_admin, claims, secrets=hidden)
            yield State("asked-from-there", by_words, claims, secrets=hidden)
    finally:
        heal(name, home=home)
    yield State("ended", inventory_of(known(name, home)), none_of(claims), secrets=hidden)


# -- who may change what

_CLOSED = frozenset(
    {
        "anonymous-clients-cannot-change-zookeeper",
        "zookeeper-hides-credentials",
        "brokers-protect-what-they-write-to-zookeeper",
    }
)
_PLAIN = {"brokers-encrypt-to-zookeeper": "", "zookeeper-takes-tls-only": "zk-"}
_PROTECTED = Expected(fails=_PLAIN, passes=_CLOSED, others=ANY)
_OPENED = Expected(
    fails=_PLAIN
    | {"anonymous-clients-cannot-change-zookeeper": "/brokers", "zookeeper-hides-credentials": "/config/users"},
    passes=frozenset({"brokers-protect-what-they-write-to-zookeeper"}),  # they still would, what they write from now on
    others=ANY,
)

NODES_OPENED = fault_scene(
    "open-znodes", {"security": _PROTECTED}, {"security": _OPENED}, secrets=passwords, module=__name__
)

_ENCRYPTED = Expected(
    fails={"brokers-protect-what-they-write-to-zookeeper": "3"},
    passes=frozenset({*_PLAIN, "zookeeper-hides-credentials"}),
    # Where the careless broker became the controller, it has written more than its own node for everybody to change.
    undetermined=frozenset({"anonymous-clients-cannot-change-zookeeper"}),
    others=ANY,
)


@scene({"encrypted": {"security": _ENCRYPTED}})
def tls_alone(lab: LabState, folder: Path) -> Iterator[State]:
    """Servers and brokers that speak TLS alone, and a broker that protects nothing."""
    del folder
    lab = known(lab.name, Path(lab.folder).parent)
    authority = encrypt(lab)
    try:
        inventory = inventory_of(lab)
        inventory["environments"][lab.name]["zookeeper"]["ca"] = str(authority)
        yield State("encrypted", inventory, lambda: encrypted(lab, authority), secrets=passwords(lab))
    finally:
        restore(lab, authority)


# -- where servers stand

_OF_PLACES = ("the-layout-with-zookeeper-is-as-decided", "zookeeper-outlives-any-data-centre")
_NOT_NEARBY = {"brokers-let-consumers-read-nearby": "replica.selector.class="}
# Each broker knows the servers of all places, as ha.md asks of it.
_USE_ALL = {"brokers-use-zookeeper-of-their-data-centre": "zk-2"}
_APART = Expected(fails=_NOT_NEARBY | _USE_ALL, passes=frozenset(_OF_PLACES))
_TOGETHER = Expected(fails=_NOT_NEARBY | _USE_ALL | dict.fromkeys(_OF_PLACES, "az-b"))
_IN_ONE_PLACE = Expected(passes=frozenset({"one-location-has-three-zookeeper-servers"}))


@scene(
    {
        "apart": {"topologies": _APART},
        "together": {"topologies": _TOGETHER},
        "in-one-place": {"topologies": _IN_ONE_PLACE},
    }
)
def places(lab: LabState, folder: Path) -> Iterator[State]:
    """Brokers in three data centres; servers in as many, all in one of them, and brokers and servers in one place."""
    del folder
    servers = zookeeper.servers_of(known(lab.name, Path(lab.folder).parent))

    def claims() -> Mapping[str, bool]:
        return {"three servers keep up": in_sync(servers) == len(servers)}

    inventory: dict[str, Any] = inventory_of(lab)
    environment = inventory["environments"][lab.name]
    environment["params"] = {"topologies/*": {"layout": "3"}}
    environment["objectives"] = ["latency", "durability", "availability", "throughput"]
    yield State("apart", inventory, claims)
    for server in environment["zookeeper"]["servers"].values():
        server["rack"] = "az-b"
    yield State("together", inventory, claims)
    environment["params"] = {"topologies/*": {"sites": ["*=here"]}}
    yield State("in-one-place", inventory, claims)
