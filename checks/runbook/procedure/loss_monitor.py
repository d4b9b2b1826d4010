"""Look during a drill, by probes, for the loss that its procedure declares: what a person says of it proves nothing."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from runbook.model import moment
from runbook.model.block import Loss
from runbook.model.fact import Fact
from runbook.model.reach import dark
from runbook.model.sentence import shown
from runbook.parse.inventory import Inventory, Target
from runbook.procedure.events import Tell
from runbook.procedure.walk_record import Sighting
from runbook.run.collection.pinned_cluster import CLUSTER, wrong_cluster
from runbook.run.collection.single_questions import ask_all

_BROKERS = "kafka_broker"


class LossMonitor(Struct):
    """Where to look, and for what.

    Attributes:
        loses: what is to be lost.
        inventory: as it was when the drill began or went on: what is edited meanwhile changes no look.
        sites: the environments to look at: the one of the drill; for the loss of the source, that and the target.
        deadline: of a look, as for a gate.
    """

    loses: Loss
    inventory: Inventory
    sites: Sequence[str]
    deadline: float

    def look(self, stage: str, tell: Tell) -> list[Sighting]:
        """Look once at every site; `tell` is given how many answers there are.

        Raises:
            KeyboardInterrupt: the person did not wait for it.
        """
        at, began = moment.now(), time.monotonic()
        targets = [self.inventory.targets[name] for name in self.sites]

        answers = ask_all(targets, (_BROKERS, CLUSTER), self.deadline, follow=tell)
        took = round((time.monotonic() - began) * 1000)
        return [
            sighting(stage, at, took, target, answers[target.name, _BROKERS], answers[target.name, CLUSTER])
            for target in targets
        ]


def sighting(stage: str, at: str, took_ms: int, target: Target, broker: Fact, cluster: Fact) -> Sighting:
    """What facts of one look show of an environment.

    Args:
        stage: the one that the walk is at.
        at: when the look began, RFC 3339 UTC.
        took_ms: its wall time.
        target: the environment.
        broker: kafka_broker of it.
        cluster: kafka_cluster of it.
    """
    nothing_answers = dark(broker)
    unknown = broker.inapplicable or ("" if nothing_answers else wrong_cluster(target, cluster))
    if not len(broker) and not unknown:
        unknown = shown(*(gap.reason for gap in broker.gaps)) or "no broker was seen"
    rows = [] if broker.inapplicable or (unknown and not nothing_answers) else list(broker.rows())
    serving = [row["broker"] for row in rows if _serves(row)]
    gone = [row["broker"] for row in rows if row["fenced"] is True and row["answers"] is False]
    return Sighting(
        stage=stage,
        at=at,
        took_ms=took_ms,
        environment=target.name,
        cluster_id=next(iter(cluster.columns.get("cluster_id", [])), None) or "",
        serving=sorted(serving),
        gone=sorted(gone),
        unsure=sorted(row["broker"] for row in rows if row["broker"] not in (*serving, *gone)),
        racks=_whole_racks(rows),
        dark=nothing_answers,
        unknown=unknown,
    )


def _serves(row: Mapping[str, Any]) -> bool:
    return row["fenced"] is False and row["answers"] is True


def _whole_racks(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    racks: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["rack"]:
            racks.setdefault(row["rack"], []).append(row)
    return {rack: sorted(row["broker"] for row in of) for rack, of in racks.items() if all(map(_serves, of))}
