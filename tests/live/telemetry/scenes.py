"""A broker that takes what clients push (KIP-714), and a real consumer that pushes while it is asked to."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.admin import kafka_python
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import telemetry
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene

_ANY: Final = tuple(Outcome)
_PUSHES: Final = "brokers-collect-client-metrics"
_POLLS: Final = "polls-come-well-before-they-are-due"
_SHOWN: Final = "org_apache_kafka_consumer_time_between_poll_max"


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION}


def lacking() -> str:
    """The receiver is compiled."""
    return telemetry.lacking()


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """One broker, and a consumer that pushes."""
    return kafka_lab("telemetry", folder, ["telemetry"])


_TOLD: Final = Expected(passes=frozenset({_PUSHES, _POLLS}), judged={_PUSHES: 1, _POLLS: 1}, others=_ANY)
_UNASKED: Final = Expected(fails={_PUSHES: "exists: false"}, others=_ANY)


@scene({"before": {"consumers": _TOLD}, "during": {"consumers": _UNASKED}, "after": {"consumers": _TOLD}})
def a_consumer_pushes(lab: LabState, folder: Path) -> Iterator[State]:
    """It tells how it polls, commits, fetches and rebalances as long as there is a subscription; then there is none."""
    del folder
    inventory = inventory_of(lab)
    inventory["environments"][lab.name]["params"] = {
        f"consumers/{_PUSHES}": {"subscriptions": [telemetry.SUBSCRIPTION]}
    }

    def claims(*, asked: bool) -> Mapping[str, bool]:
        shown = {"what the consumer pushes is shown": _SHOWN in telemetry.pushed(lab)} if asked else {}
        return {f"there is a subscription: {asked}": _subscribed(lab) == asked, **shown}

    try:
        for state, asked in (("before", True), ("during", False), ("after", True)):
            telemetry.subscribe(lab, asked=asked)
            yield State(state, inventory, lambda asked=asked: claims(asked=asked))  # type: ignore[misc]
    finally:
        telemetry.subscribe(lab)


def _subscribed(lab: LabState) -> bool:
    """Whether a broker has settings of that name, as another client library tells."""
    from kafka.admin import ConfigResource, ConfigResourceType

    with kafka_python(lab) as admin:
        described = admin.describe_configs([ConfigResource(ConfigResourceType.CLIENT_METRICS, telemetry.SUBSCRIPTION)])
    return bool(described["client_metrics"][telemetry.SUBSCRIPTION])
