"""What an owner decided on and keeps of a lab's topology: the layout, the data centres, a client's place, a drill."""

import datetime as dt
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec.structs import replace

from kafka_lab import LabState
from runbook.model import moment
from runbook.procedure.loss_seen import with_loss
from runbook.procedure.walk_record import Ended, Measured, Sighting, Skipped
from support.given_connections import give
from support.small_walks import BEGUN, written

ZONES: Final = ["az-a", "az-b", "az-c"]
"""The racks of a lab's brokers."""


def decided(lab: LabState, folder: Path, objectives: list[str], rack: str, **params: Any) -> dict[str, Any]:
    """The lab's inventory, with an owner's decisions, a consumer that says where it is, and the record of a drill."""
    file = folder / f"{rack}.properties"
    file.write_text(f"group.id=billing\nclient.rack={rack}\n", "utf-8")
    document: dict[str, Any] = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = document["environments"][lab.name]
    environment["objectives"] = objectives
    environment["params"] = {"topologies/*": params}
    files = {"clients": [{"name": "billing", "kind": "consumer", "path": str(file)}]}
    give(environment, files=files, records={"drills": str(_drilled(lab, folder, wrong=rack not in ZONES))})
    return document


def _drilled(lab: LabState, folder: Path, *, wrong: bool) -> Path:
    """A folder with the record of a drill in which a broker was lost."""
    at = moment.written(dt.datetime.now(dt.UTC) - dt.timedelta(days=3))
    begun = replace(
        BEGUN,
        procedure="topologies/lose-a-broker",
        environment=lab.name,
        target=lab.name,
        drill=True,
        loses="broker",
        at=at,
    )
    *others, last = sorted(broker.number for broker in lab.brokers)
    well = Sighting(
        stage="before", at=at, took_ms=9, environment=lab.name, cluster_id=lab.cluster_id, serving=[*others, last]
    )
    looks = [well, replace(well, stage="step 1", serving=others, gone=[last]), replace(well, stage="after")]
    lost = 7 if wrong else 0
    figures = Measured(
        at=at,
        acknowledged=900,
        rpo_records=lost,
        rto_write=99.0 if wrong else 9.0,
        rto_read=9.0,
        caveats=with_loss([], [begun, *looks]),
    )
    left_out = [Skipped("step 1", "ada", at, "no time")] if wrong else []
    kept = folder / ("wrong" if wrong else "right")
    kept.mkdir(exist_ok=True)
    (kept / "drill.jsonl").write_bytes(written([begun, *looks, *left_out, figures, Ended("completed", "ada", at)]))
    return kept
