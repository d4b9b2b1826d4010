"""What the product foretells of the loss of a data centre, and whether that is what happened."""

from typing import Any

from msgspec.structs import asdict

from kafka_lab.parts.stretched import SITES
from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from runbook.views.data_centre_loss import compute
from support.evidence.judging import fact_in


def otherwise(bundle: Bundle, aftermath: dict[str, Any]) -> list[str]:
    """What happened to west that was not foretold, in words."""
    partition, broker = fact_in(bundle, "kafka_partition"), fact_in(bundle, "kafka_broker")
    internal = {row["topic"]: row["internal"] for row in partition.rows()}
    needs = {f"{row['topic']}/{row['partition']}": row["needs"] for row in partition.rows()}
    # Nobody but Kafka writes to its own topics: whether they would take it is known by who is in sync.
    own = {
        place
        for place, in_sync in aftermath["in sync"].items()
        if internal[place.rpartition("/")[0]] and len(in_sync) < needs[place]
    }
    refusing = {*aftermath["refusing"], *own}
    said = _said_of(partition, broker, "west")
    happened = {
        "brokers": aftermath["brokers without a process"],
        "refusing_writes": len(refusing),
        "offline": len(aftermath["offline"]),
    }
    wrong = [
        f"{name}: {said[name]} was foretold, {came} happened" for name, came in happened.items() if said[name] != came
    ]
    wrong += [f"{claim}: not so" for claim, holds in aftermath["lost"].items() if not holds]
    # By the state, which the forecast is about: what needs two copies goes on in east, all else has to wait for west.
    spared = {place.rpartition("/")[0] for place in aftermath["in sync"].keys() - refusing}
    if spared != {"east-only", "acknowledged-in-east"}:
        wrong.append(f"{sorted(spared)} take writes")
    return wrong


def _said_of(partition: Fact, broker: Fact, lost: str) -> dict[str, Any]:
    computed = compute(partition=partition, broker=broker, sites=[*SITES])
    assert computed.gaps == []
    return next(asdict(row) for row in computed.rows if row.data_centre == lost)
