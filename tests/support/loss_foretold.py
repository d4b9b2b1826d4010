"""What `what-if` foretells of each partition by itself, and whether that is what happened."""

from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from runbook.evidence.bundle import Bundle
from runbook.model.fact import Fact
from runbook.what_if.analysis import PROBES, Scenario, analyze
from support.evidence.judging import fact_in


class Fate(NamedTuple):
    """What a loss does to a partition. As ha.md has it, consumers see nothing new while too few copies are in sync."""

    refuses_all: bool
    refuses_one: bool
    unreadable: bool
    records_missing: bool
    records_of_one_missing: bool
    shows_new_records: bool


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
            records_of_one_missing=came["lacks what one acknowledged"],
            shows_new_records=came["shows new records"],
        )
        for place, came in aftermath["partitions"].items()
    }


class Foretold(NamedTuple):
    """What is said of a partition.

    Attributes:
        fate: right after the loss.
        quorum: what becomes of the controllers' majority.
        gives_up: whether it may lose records for good that acks=all acknowledged; and those that acks=1 did.
    """

    fate: Fate
    quorum: str | None
    gives_up: bool
    gives_up_of_one: bool


def foretold(bundle: Bundle, lost: AbstractSet[int]) -> dict[str, Foretold]:
    """What `what-if` says of each partition, as if the cluster had no other."""
    facts = {probe: fact_in(bundle, probe) for probe in PROBES}
    partition = facts["kafka_partition"]
    assert partition.complete
    return {
        f"{row['topic']}/{row['partition']}": _of_one(row, facts, lost)
        for row in partition.rows()
        if not row["internal"]
    }


def _of_one(row: dict[str, Any], facts: dict[str, Fact], lost: AbstractSet[int]) -> Foretold:
    alone = facts | {"kafka_partition": Fact("kafka_partition", {name: [cell] for name, cell in row.items()})}
    analysis = analyze("lab", alone, [], [("broker", str(number)) for number in sorted(lost)])
    assert analysis.missing == []
    [said] = analysis.scenarios
    refuses, offline, at_risk, of_one = _certain(said)
    # What nobody leads can't be read: its records are missing then, though a copy has them.
    fate = Fate(refuses, offline, offline, at_risk or offline, of_one, not refuses)
    return Foretold(fate, said.quorum, at_risk and row["unclean_leader_election"], of_one)


def _certain(said: Scenario) -> list[bool]:
    counts = (said.refusing_writes, said.offline, said.at_risk, said.acks_1_at_risk)
    assert None not in counts
    return [bool(count) for count in counts]


def otherwise(lost: AbstractSet[int], quorum: str, bundle: Bundle, aftermath: dict[str, Any]) -> list[str]:
    """What happened that was not foretold, in words.

    Args:
        lost: the brokers.
        quorum: what became of the controllers' majority.
        bundle: the facts from before.
        aftermath: what came of it.
    """
    came = happened(aftermath)
    before = foretold(bundle, lost)
    wrong = [
        f"{place}: {before[place].fate} was foretold, {fate} happened"
        for place, fate in came.items()
        if before[place].fate != fate
    ]
    wrong += [f"{place} was not tried" for place in sorted(before.keys() - came.keys()) if place.startswith(TRIED)]
    wrong += [
        f"the majority: {foretold.quorum}, not {quorum}" for foretold in before.values() if foretold.quorum != quorum
    ]
    wrong += [f"{claim}: not so" for claim, holds in aftermath["lost"].items() if not holds]
    wrong += [
        f"{place} lost records for good, which was not foretold"
        for place in aftermath["gave records up"]
        if not before[place].gives_up
    ]
    return wrong + [
        f"{place} lost records of acks=1 for good, which was not foretold"
        for place in aftermath["gave up what one acknowledged"]
        if not before[place].gives_up_of_one
    ]
