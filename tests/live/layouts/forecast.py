"""What the product foretells of each partition by itself, and whether that is what happened."""

from typing import Any, NamedTuple

from runbook.engine.bundle import Bundle
from runbook.engine.fact import Fact
from runbook.views import broker_loss
from support.evidence.judging import fact_in


class Fate(NamedTuple):
    """What a loss does to a partition. As ha.md has it, consumers see nothing new while too few copies are in sync."""

    refuses_all: bool
    refuses_one: bool
    unreadable: bool
    records_missing: bool
    shows_new_records: bool


ALL_GOES_ON = Fate(
    refuses_all=False, refuses_one=False, unreadable=False, records_missing=False, shows_new_records=True
)
SEVERAL_COPIES_ARE_NOT_TO_BE_HAD = ALL_GOES_ON._replace(refuses_all=True, shows_new_records=False)
ALL_IS_LOST = Fate(refuses_all=True, refuses_one=True, unreadable=True, records_missing=True, shows_new_records=False)
AN_ELECTION_GIVES_RECORDS_UP = ALL_GOES_ON._replace(records_missing=True)
EVERY_FATE = {ALL_GOES_ON, SEVERAL_COPIES_ARE_NOT_TO_BE_HAD, ALL_IS_LOST, AN_ELECTION_GIVES_RECORDS_UP}


TRIED = "layout-"
"""What the topics begin with that are written to and read from after a loss."""


def happened(aftermath: dict[str, Any]) -> dict[str, Fate]:
    """What was tried after the loss, by TOPIC/PARTITION."""
    return {
        place: Fate(
            refuses_all=came["refuses acks=all"],
            refuses_one=came["refuses acks=1"],
            unreadable=came["can't be read"],
            records_missing=came["lacks acknowledged records"],
            shows_new_records=came["shows new records"],
        )
        for place, came in aftermath["partitions"].items()
    }


def foretold(bundle: Bundle, lost: set[int]) -> dict[str, tuple[Fate, bool]]:
    """What the view says of each partition: its fate, and whether it may lose records for good."""
    partition, broker = fact_in(bundle, "kafka_partition"), fact_in(bundle, "kafka_broker")
    assert partition.complete
    return {
        f"{row['topic']}/{row['partition']}": _of_one(row, broker, lost)
        for row in partition.rows()
        if not row["internal"]
    }


def _of_one(row: dict[str, Any], broker: Fact, lost: set[int]) -> tuple[Fate, bool]:
    one = Fact("kafka_partition", {name: [cell] for name, cell in row.items()})
    computed = broker_loss.compute(one, broker, racks=True)
    assert computed.gaps == []
    names = [column.name for column in broker_loss.VIEW.columns]
    told = [dict(zip(names, cells, strict=True)) for cells in computed.rows]
    found = next(scenario for scenario in told if set(scenario["brokers"]) == lost)
    offline, at_risk, refuses = (bool(found[name]) for name in ("offline", "at_risk", "refusing_writes"))
    return Fate(refuses, offline, offline, at_risk, not refuses), at_risk and row["unclean_leader_election"]


def otherwise(lost: set[int], bundle: Bundle, aftermath: dict[str, Any]) -> list[str]:
    """What happened that was not foretold, in words."""
    came = happened(aftermath)
    before = foretold(bundle, lost)
    wrong = [
        f"{place}: {before[place][0]} was foretold, {fate} happened"
        for place, fate in came.items()
        if before[place][0] != fate
    ]
    wrong += [f"{place} was not tried" for place in sorted(before.keys() - came.keys()) if place.startswith(TRIED)]
    wrong += [f"{claim}: not so" for claim, holds in aftermath["lost"].items() if not holds]
    return wrong + [
        f"{place} lost records for good, which was not foretold"
        for place in aftermath["gave records up"]
        if not before[place][1]
    ]
