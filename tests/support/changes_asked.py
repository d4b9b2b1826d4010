"""One partition, t-0, and a change that is asked about, over facts in a bundle."""

import json
from pathlib import Path
from typing import Any

from runbook.api import what_if
from runbook.model.fact import Fact
from runbook.what_if.change_analysis import ChangeForecast
from support.small_layouts import RACKS, broker, keep, partition, quorum

LEADER_1: dict[str, Any] = {"leader": 1, "isr": [1], "needs": 1, "min_insync_replicas": 2, "replicas": [1]}


def cluster(release: str | None = "4.1", mode: str | None = "kraft") -> Fact:
    """What kafka_cluster says."""
    return Fact("kafka_cluster", {"cluster_id": ["abc"], "kafka_version": [release], "mode": [mode]})


def sizes(held: dict[int, int]) -> Fact:
    """What kafka_replica_size says of the one partition."""
    rows: dict[str, list[Any]] = {
        "topic": ["t"] * len(held),
        "partition": [0] * len(held),
        "broker": [*held],
        "size": [*held.values()],
    }
    return Fact("kafka_replica_size", rows)


def forecast(
    folder: Path,
    row: dict[str, Any],
    target: list[int] | None = None,
    *,
    down: tuple[int, ...] = (),
    release: str | None = "4.1",
    mode: str | None = "kraft",
    **asked: Any,
) -> ChangeForecast:
    """What is said of one partition, t-0, of such a row."""
    fact = partition({"t": [row["replicas"]]}, down)
    fact.columns |= {name: [cell] for name, cell in row.items()}
    facts = [fact, broker(RACKS, down), quorum((1, 2, 3)), cluster(release, mode), sizes({1: 3_000_000})]
    file = keep(folder / "b.json", facts)
    plan = folder / "plan.json"
    if target is not None:
        plan.write_text(json.dumps({"version": 1, "partitions": [{"topic": "t", "partition": 0, "replicas": target}]}))
    [analysis] = what_if(bundle=file, reassign=plan if target is not None else None, **asked)
    assert analysis.change is not None
    return analysis.change
