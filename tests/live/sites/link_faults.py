"""What dr.md says of two sites when something is wrong with the link, with MirrorMaker, or with a site."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kafka_lab import LabState
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, inventory_of, proved_also
from support.evidence.scene import Scene
from support.two_sites_flow import (
    LINK,
    comes_through,
    copies_are_overdue,
    heartbeats_are_overdue,
    positions_are_old,
)


def with_promises(lab: LabState, folder: Path) -> dict[str, Any]:
    """The inventory of the lab, whose link promises little time and few records."""
    inventory = inventory_of(lab, folder)
    [link] = inventory["mirrors"]
    link |= LINK
    return inventory


# The fault is one of these, and its flow is what makes them pass: they must be seen to, completely.
_IN_ORDER = frozenset(
    {
        "filters-take-what-is-meant",
        "group-filters-take-what-is-meant",
        "groups-would-not-read-much-again",
        "heartbeats-arrive",
        "mirrors-have-all-partitions",
        "mirrors-keep-as-long",
        "names-are-as-declared",
        "no-mirror-of-a-mirror-of-ones-own",
        "no-mirrored-state-is-there",
        "no-source-topic-was-made-again",
        "no-state-of-applications-is-mirrored",
        "offset-syncs-topic-is-there",
        "replication-keeps-its-promise",
        "the-flow-runs",
        "the-flow-has-several-tasks",
        "the-flow-takes-the-largest-records",
        "the-standby-can-be-read",
        "topics-have-their-mirror",
    }
)
_WELL = {"dr": Expected(passes=_IN_ORDER)}

# Connectors whose requests take too long fail at last, sooner or later than we look.
_SOONER_OR_LATER = frozenset({"the-flow-runs"})
_LATE_BEATS = {"heartbeats-arrive": "the newest heartbeat is of"}
_LATE_COPIES = {"replication-keeps-its-promise": "above the RPO of 10 s"}

_STOPPED = Expected(fails={"the-flow-runs": "source: PAUSED", **_LATE_BEATS, **_LATE_COPIES})
_FAILED = Expected(
    fails={
        "the-flow-runs": "1 failed",
        "the-flow-takes-the-largest-records": "max.request.size 2000",
    },
    undetermined={
        "heartbeats-arrive": ("pass", "fail"),  # they stay away where that very task copies them
        # What was kept before records were asked for by their age does not tell of a younger one whether others wait.
        "replication-keeps-its-promise": ("unknown", "fail"),
    },
)
_LEFT_OUT = Expected(
    fails={
        "filters-take-what-is-meant": ("refused-orders", "declared true, matched by the filters false"),
        "the-standby-can-be-read": "primary.refused-orders",
        "topics-have-their-mirror": "primary.refused-orders does not exist",
    },
    # What is not there is behind by as much as nobody knows, until its newest record is older than the promise.
    undetermined={"replication-keeps-its-promise": ("unknown", "fail")},
)
_DRIFTED = Expected(
    fails={"mirrors-have-all-partitions": "6 partitions, 3 at sites", "mirrors-keep-as-long": "3600000 ms"}
)
_OLD_POSITIONS = Expected(
    fails={"groups-would-not-read-much-again": "would be consumed again", "the-flow-runs": "checkpoint: PAUSED"}
)
_CHANGELOG = "order-totals-by-customer-changelog"
_STATE_IS_COPIED = Expected(
    fails={
        "no-mirrored-state-is-there": f"primary.{_CHANGELOG}",
        "no-state-of-applications-is-mirrored": _CHANGELOG,
    }
)
_ROUND = Expected(
    fails={
        "names-are-as-declared": "identity",
        "no-mirror-of-a-mirror-of-ones-own": "primary.standby.primary.payments",
        "nothing-goes-round": "standby.primary.payments",
        "nothing-flows-back-from-here": "mirror-back",
    }
)
_CUT = Expected(fails={**_LATE_BEATS, **_LATE_COPIES}, undetermined=_SOONER_OR_LATER)
_SLOW = Expected(
    fails=_LATE_BEATS,
    # What was written comes after a while, and how far heartbeats lie apart is near to what is promised.
    undetermined=_SOONER_OR_LATER | {"replication-keeps-its-promise"},
)
_NOBODY_TELLS = frozenset(
    {
        "filters-take-what-is-meant",
        "groups-have-a-position-there",
        "groups-would-not-read-much-again",
        "mirrors-have-all-partitions",
        "mirrors-have-three-copies",
        "mirrors-keep-as-long",
        "mirrors-need-copies-in-sync",
        "no-position-is-copied-raw",
        "no-state-of-applications-is-mirrored",
        "nothing-goes-round",
        "nothing-is-lost-with-a-site",
        "quotas-are-there-too",
        "replication-keeps-its-promise",
        "applications-may-work-there",
        "rights-are-there-too",
        "rpo-0-is-no-accident",
        "the-flow-has-several-tasks",
        "the-flow-takes-the-largest-records",
        "the-standby-can-be-read",
        "the-standby-has-its-history",
        "no-source-topic-was-made-again",
        "offset-syncs-topic-is-there",
        "the-offset-syncs-topic-has-three-copies",
        "group-filters-take-what-is-meant",
        "the-standby-is-another-cluster",
        "the-standby-takes-the-largest-records",
        "the-strategy-is-the-declared-one",
        "topics-have-their-mirror",
        # It has no Connect, no registry and no statements; but nobody can tell that this is the cluster that is meant.
        "connectors-are-there-too",
        "replication-back-runs-only-where-declared",
        "schemas-are-there-too",
        "the-plan-is-known",
    }
)
"""All that the primary would have to be asked for."""
_PRIMARY_LOST = Expected(fails=_LATE_BEATS, unknown=_NOBODY_TELLS, undetermined=_SOONER_OR_LATER)

_Shown = Callable[[LabState], Mapping[str, bool]]


def _scene(fault: str, during: Expected, *shown: _Shown) -> Scene:
    """The scene of a fault: during it all of these are shown too; before and after it everything comes through."""

    def more(state: str, lab: LabState) -> Mapping[str, bool]:
        if state != "during":
            return comes_through(lab)
        return {claim: holds for one in shown for claim, holds in one(lab).items()}

    return proved_also(fault_scene(fault, _WELL, {"dr": during}, inventory=with_promises, module=__name__), more)


FAULTS = [
    _scene("stop-mirror", _STOPPED, heartbeats_are_overdue, copies_are_overdue),
    _scene("fail-mirror-task", _FAILED, copies_are_overdue),
    _scene("unmirrored-topic", _LEFT_OUT),
    _scene("mirror-drift", _DRIFTED),
    _scene("no-checkpoints", _OLD_POSITIONS, positions_are_old),
    _scene("mirrored-changelog", _STATE_IS_COPIED),
    _scene("mirror-loop", _ROUND),
    _scene("cut-link", _CUT, heartbeats_are_overdue, copies_are_overdue),
    _scene("slow-link", _SLOW, heartbeats_are_overdue),
    _scene("lose-primary", _PRIMARY_LOST, heartbeats_are_overdue),
]
