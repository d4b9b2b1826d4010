"""What topologies.md says of three zones, and dr.md of one cluster that is linked to itself."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.admin import live_brokers, metadata
from kafka_lab.breaking import in_force
from kafka_lab.state import known
from support.decided_topologies import ZONES, decided
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of, none_of
from support.evidence.scene import Claims, State, scene

DURABILITY: Final = ["durability", "availability", "latency", "throughput"]
AVAILABILITY: Final = ["availability", "durability", "latency", "throughput"]
_ELSEWHERE: Final = "nowhere"

_NOT_NEARBY = {"brokers-let-consumers-read-nearby": "replica.selector.class="}
_AS_IT_STARTS = Expected(
    fails=_NOT_NEARBY, passes=frozenset({"any-data-centre-may-fail", "controllers-outlive-any-data-centre"})
)
_RIGHT = Expected(
    fails=_NOT_NEARBY,
    passes=frozenset(
        {
            "brokers-stand-where-they-should",
            "the-layout-is-as-decided",
            "a-node-lost-costs-no-record",
            "copies-are-in-two-data-centres",
            "copies-in-sync-are-in-two-data-centres",
            "acknowledged-records-are-in-two-data-centres",
            "any-data-centre-may-fail",
            "controllers-outlive-any-data-centre",
            "consumers-say-where-they-are",
            "losing-a-broker-was-drilled",
        }
    ),
)
_RIGHT_FOR_WRITES = Expected(fails=_NOT_NEARBY, passes=frozenset({"writes-go-on-without-any-data-centre"}))
_IN_ONE_PLACE = Expected(passes=frozenset({"one-location-has-three-controllers"}))
_WRONG = Expected(
    fails=_NOT_NEARBY
    | {
        "brokers-stand-where-they-should": "intended: [az-a, az-b, elsewhere]",
        "the-layout-is-as-decided": "layout 3",
        "a-node-lost-costs-no-record": "sessions",
        "copies-are-in-two-data-centres": "audit",
        "copies-in-sync-are-in-two-data-centres": "audit",
        "acknowledged-records-are-in-two-data-centres": "sessions",
        "any-data-centre-may-fail": "audit",
        "consumers-say-where-they-are": "client.rack=nowhere",
        "losing-a-broker-was-drilled": "7 acknowledged records lost, no writes for 99 s, 1 steps skipped",
    },
    others=("pass", "unknown", "not_applicable"),
)
_WRONG_FOR_WRITES = Expected(
    fails=_NOT_NEARBY
    | {
        "any-data-centre-may-fail": "audit",
        "consumers-say-where-they-are": "client.rack=nowhere",
        "copies-are-in-two-data-centres": "audit",
        "copies-in-sync-are-in-two-data-centres": "audit",
        "losing-a-broker-was-drilled": "7 acknowledged records lost",
        "writes-go-on-without-any-data-centre": "invoices",
    },
    others=("pass", "unknown", "not_applicable"),
)


@scene(
    {
        "as-it-starts": {"topologies": _AS_IT_STARTS},
        "right": {"topologies": _RIGHT},
        "right-availability-first": {"topologies": _RIGHT_FOR_WRITES},
        "in-one-place": {"topologies": _IN_ONE_PLACE},
        "wrong": {"topologies": _WRONG},
        "wrong-availability-first": {"topologies": _WRONG_FOR_WRITES},
    },
    faults=("unsafe-topic",),
)
def three_zones(lab: LabState, folder: Path) -> Iterator[State]:
    """An owner's decisions and topics that keep them; then others, and topics that keep nothing."""
    name, home = lab.name, Path(lab.folder).parent

    def broken() -> Mapping[str, bool]:
        return in_force(known(name, home), "unsafe-topic")

    def well() -> Mapping[str, bool]:
        return {"all brokers take part": live_brokers(known(name, home)) == {1, 2, 3}} | dict(none_of(broken)())

    def state(title: str, claims: Claims, objectives: list[str], rack: str, **params: Any) -> State:
        return State(title, decided(known(name, home), folder, objectives, rack, **params), claims)

    yield State("as-it-starts", inventory_of(lab), well)
    yield state("right", well, DURABILITY, ZONES[0], data_centres=ZONES, layout="3")
    yield state("right-availability-first", well, AVAILABILITY, ZONES[0])
    yield state("in-one-place", well, DURABILITY, ZONES[0], sites=["*=here"])
    labs.break_(name, "unsafe-topic", home=home)
    try:
        otherwise = [*ZONES[:2], "elsewhere"]
        yield state("wrong", broken, DURABILITY, _ELSEWHERE, data_centres=otherwise, layout="2.5")
        yield state("wrong-availability-first", broken, AVAILABILITY, _ELSEWHERE)
    finally:
        labs.heal(name, home=home)


_ONE_CLUSTER = Expected(
    fails={"the-standby-is-another-cluster": ""},
    unknown=frozenset({"the-flow-runs"}),  # nobody may be asked what copies topics
    passes=frozenset({"topics-have-their-mirror"}),  # all are there, under their own names
    others=("pass", "fail", "unknown", "not_applicable"),
)


@scene({"linked": {"dr": _ONE_CLUSTER}})
def linked_to_itself(lab: LabState, folder: Path) -> Iterator[State]:
    """Two environments with a link between them that are one cluster."""
    del folder
    inventory = {
        "environments": {name: {"kafka": {"bootstrap.servers": lab.bootstrap}} for name in ("here", "there")},
        "default": "there",  # links are judged where they lead
        "mirrors": [{"from": "here", "to": "there", "policy": "identity"}],
    }
    yield State(
        "linked",
        inventory,
        lambda: {"both ends are the lab": metadata(lab, lab.bootstrap).cluster_id == lab.cluster_id},
    )
