"""Groups that stood still, or that nobody read for, have read to the end; the rest of them is as it was."""

from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Recovery, Situation, changed
from runbook.recoveries._elsewhere import all_but, chosen


def read_to_the_end(fact: Fact, mine: list[bool]) -> Fact:
    """The fact of kafka_group_lag where its rows for which `mine` is true are read to the end."""
    columns = {name: list(fact.columns[name]) for name in ("committed", *_READ)}
    for row, wanted in enumerate(mine):
        if wanted:
            columns["committed"][row] = fact.columns["end"][row]
            for name, value in _READ.items():
                columns[name][row] = value
    return changed(fact, columns, fact.gaps)


_READ: dict[str, Any] = {"lag": 0, "deleted": 0, "behind_least": 0.0, "behind_most": 0.0, "untimed": ""}


def _lag(fact: Fact, situation: Situation) -> Fact:
    return read_to_the_end(fact, chosen(fact, ["group"], lambda group: group in situation.given["groups"]))


_SETS = {"kafka_group_lag": _lag}

RECOVERY = Recovery(
    help="Groups that stood still, or that nobody read for, have read to the end.",
    takes=("groups",),
    sets=_SETS,
    leaves=all_but({*_SETS, "kafka_group", "kafka_group_member", "kafka_group_offset", "kafka_consumer_group"}),
    entity="",
    of="",
    sources=("Apache Kafka documentation, design: a group's position in a partition is the next record to be read",),
)
