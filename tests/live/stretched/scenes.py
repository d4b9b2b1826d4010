"""Four brokers in two data centres: well, with topics that one of them holds, and with one of them lost."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.breaking import in_force
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.state import known
from live.stretched.forecast import otherwise
from support.data_centre import what_is_left
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, inventory_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Four brokers, three of them controllers, two of which are in east."""
    return kafka_lab("stretched", folder, ["stretched"])


_ONE_HAS_THE_VOTES: Final = {"controllers-outlive-any-data-centre": "east"}  # true of any two, and said of this lab
_WELL = Expected(
    fails=_ONE_HAS_THE_VOTES,
    passes=frozenset(
        {
            "acknowledged-records-are-in-two-data-centres",
            "any-data-centre-may-fail",
            "brokers-let-consumers-read-nearby",
            "brokers-stand-where-they-should",
            "copies-are-in-two-data-centres",
            "copies-in-sync-are-in-two-data-centres",
            "each-of-two-data-centres-has-two-copies",
            "the-layout-is-as-decided",
        }
    ),
    inapplicable=frozenset({"writes-go-on-without-any-data-centre"}),  # durability ranks higher there
)
_LOPSIDED = Expected(
    fails=_ONE_HAS_THE_VOTES
    | {
        "acknowledged-records-are-in-two-data-centres": ("acknowledged-in-east", "east-only"),
        "any-data-centre-may-fail": "east",
        "copies-are-in-two-data-centres": "east-only",
        "copies-in-sync-are-in-two-data-centres": "east-only",
        "each-of-two-data-centres-has-two-copies": "east-only",
    },
    passes=frozenset(
        {"brokers-let-consumers-read-nearby", "brokers-stand-where-they-should", "the-layout-is-as-decided"}
    ),
)
_WEST_LOST = Expected(
    fails=_ONE_HAS_THE_VOTES
    | {
        "any-data-centre-may-fail": "east",
        "copies-in-sync-are-in-two-data-centres": "orders",
    },
    unknown=frozenset({"brokers-let-consumers-read-nearby"}),  # who is lost does not tell its settings
    passes=frozenset({"acknowledged-records-are-in-two-data-centres", "the-layout-is-as-decided"}),
)
_NOTHING_IS_WRONG = Expected()
_WRITES_ARE_REFUSED = Expected(
    fails={"partitions-take-writes": "orders"},  # three of four are needed and two are left
    passes=frozenset({"every-partition-has-a-leader", "the-cluster-has-a-controller"}),
    undetermined={
        "controllers-keep-up": ("pass", "fail", "unknown")
    },  # how far behind the one that is lost is may not be known
    others=("pass", "fail", "unknown", "not_applicable"),
)

FAULTS = [
    fault_scene("lopsided-topics", {"topologies": _WELL}, {"topologies": _LOPSIDED}, module=__name__),
    fault_scene(
        "lose-data-centre",
        {"topologies": _WELL, "ha": _NOTHING_IS_WRONG},
        {"topologies": _WEST_LOST, "ha": _WRITES_ARE_REFUSED},
        module=__name__,
    ),
]


@scene(
    {"before": {"topologies": _LOPSIDED}},
    faults=("lopsided-topics", "lose-data-centre"),
    forecasts={"before": otherwise},
)
def what_is_foretold_of_west(lab: LabState, folder: Path) -> Iterator[State]:
    """What a lost data centre does to every partition, those of badly laid out topics too."""
    del folder
    name, home = lab.name, Path(lab.folder).parent

    def claims() -> Mapping[str, bool]:
        return in_force(known(name, home), "lopsided-topics")

    def aftermath() -> dict[str, Any]:
        labs.break_(name, "lose-data-centre", home=home)
        left = known(name, home)
        return {"lost": dict(in_force(left, "lose-data-centre")), **what_is_left(left)}

    labs.break_(name, "lopsided-topics", home=home)
    try:
        yield State("before", inventory_of(lab), claims, aftermath=aftermath)
    finally:
        labs.heal(name, home=home)
