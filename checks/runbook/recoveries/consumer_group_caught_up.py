"""Groups that stood still, or that nobody read for, have read to the end; the rest of them is as it was."""

from typing import Any

from runbook.model.fact import Fact, Gap
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._rows import all_but, chosen, keys_of, put

_READ: dict[str, Any] = {
    "commits": True,
    "lag": 0,
    "deleted": 0,
    "behind_least": 0.0,
    "behind_most": 0.0,
    "untimed": "",
}


def _lag(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["group"], lambda group: group in situation.given["groups"])
    columns = [fact.columns[name] for name in ("end", "committed", "committed_before")]
    rows = [*zip(mine, *columns, strict=True)]
    committed = [end if of_mine else now for of_mine, end, now, _ in rows]
    # A group that never committed had no position before: without one, nothing could be said of it.
    before = [end if of_mine and before is None else before for of_mine, end, _, before in rows]
    return changed(put(fact, mine, **_READ), {"committed": committed, "committed_before": before}, fact.gaps)


def _unknown(probe: str) -> Change:
    """What a fact would show of these groups is not known; of others it is as it was."""

    def change(fact: Fact, situation: Situation) -> Fact:
        mine = chosen(fact, ["group"], lambda group: group in situation.given["groups"])
        lost = dict.fromkeys(fact.columns.keys() - keys_of(probe))
        return changed(put(fact, mine, **lost), {}, [*fact.gaps, Gap(_UNKNOWN)])

    return change


_UNKNOWN = "what the groups that stood still would show without the cause is not known"
_TOUCHED = ("kafka_group", "kafka_group_member", "kafka_group_offset", "kafka_consumer_group")
_SETS = {"kafka_group_lag": _lag} | {probe: _unknown(probe) for probe in _TOUCHED}

RECOVERY = Recovery(
    help="Groups that were stuck or had no members have read to the end.",
    takes=("groups",),
    sets=_SETS,
    leaves=all_but(_SETS),
    entity="",
    of="",
    sources=("Apache Kafka documentation, design: a group's position in a partition is the next record to be read",),
)
