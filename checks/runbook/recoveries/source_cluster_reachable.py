"""What a mirrored cluster writes comes through again, wherever the flow from it runs; one that was stopped stays so."""

from functools import partial

from msgspec import structs

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation
from runbook.recoveries._rows import put
from runbook.recoveries.mirror_caught_up import RECOVERY as CAUGHT_UP


def _catches_up(change: Change, fact: Fact, situation: Situation) -> Fact:
    if "mirror_connector" not in situation.facts:
        return fact
    flows = situation.facts["mirror_connector"].rows("connector", "kind", "source", "enabled", "state")
    running = [
        row["connector"]
        for row in flows
        if row["kind"] == "source"
        and row["source"] in situation.given["aliases"]
        and row["enabled"] is not False
        and row["state"] == "RUNNING"
    ]
    return change(fact, structs.replace(situation, given={"connectors": running}))


def _flow(fact: Fact, situation: Situation) -> Fact:
    """One that has no task finds work once it can look there; into how many tasks that is divided is not known."""
    aliases = situation.given["aliases"]
    waits = [
        row["source"] in aliases and row["enabled"] is not False and row["state"] == "RUNNING" and row["tasks"] == 0
        for row in fact.rows("source", "enabled", "state", "tasks")
    ]
    return put(_catches_up(CAUGHT_UP.sets["mirror_connector"], fact, situation), waits, tasks=None, tasks_running=None)


RECOVERY = Recovery(
    help="What a mirrored cluster writes comes through again, where the flow from it runs.",
    takes=("aliases",),
    sets={probe: partial(_catches_up, change) for probe, change in CAUGHT_UP.sets.items()}
    | {"mirror_connector": _flow},
    leaves=CAUGHT_UP.leaves,
    entity="",
    of="",
    sources=(
        *CAUGHT_UP.sources,
        "Apache Kafka: taskConfigs of MirrorCheckpointConnector gives no task where it found no group at the source",
    ),
)
