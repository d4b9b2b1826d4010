"""Connectors of MirrorMaker run, what they copy comes through, and they have caught up.

The newest record of a mirror is then the newest of its topic, as far as exactly one other environment has a topic of
that name; a heartbeat is written each second. What positions are translated to, and all that counts, was never seen.
"""

from collections.abc import Mapping
from typing import Any

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._rows import all_but, chosen, put
from runbook.recoveries.connector_running import RECOVERY as RUNNING

_CLOUDED = frozenset({"mirror_checkpoint", "mirror_offset_sync"})


def _flow(fact: Fact, situation: Situation) -> Fact:
    mine = chosen(fact, ["connector"], lambda connector: connector in situation.given["connectors"])
    there = put(fact, mine, state="RUNNING", trace="", tasks_failed=0)
    # Into how many tasks the work of a connector that was stopped is divided is not known.
    tasks = [(all_ or None) if of_mine else all_ for of_mine, all_ in zip(mine, fact.columns["tasks"], strict=True)]
    run = zip(mine, tasks, fact.columns["tasks_running"], strict=True)
    return changed(
        there, {"tasks": tasks, "tasks_running": [all_ if of_mine else now for of_mine, all_, now in run]}, fact.gaps
    )


def _prefixes(situation: Situation, kind: str) -> tuple[str, ...]:
    """How the names of mirrors begin that these connectors of a kind make, or place groups in."""
    rows = situation.facts["mirror_connector"].rows("connector", "kind", "source", "policy", "separator")
    return tuple(
        f"{row['source']}{row['separator']}"
        for row in rows
        if row["connector"] in situation.given["connectors"]
        and row["kind"] == kind
        and row["policy"] == "default"
        and row["source"]
        and row["separator"]
    )


def _newest(situation: Situation) -> Mapping[tuple[str, int], Any]:
    """Topic and partition elsewhere → its newest record; those that two environments have are left out."""
    found: dict[tuple[str, int], list[Any]] = {}
    for facts in situation.elsewhere:
        if "kafka_partition_offset" in facts:
            for row in facts["kafka_partition_offset"].rows("topic", "partition", "newest"):
                found.setdefault((row["topic"], row["partition"]), []).append(row["newest"])
    return {place: offsets[0] for place, offsets in found.items() if len(offsets) == 1}


def _offset(fact: Fact, situation: Situation) -> Fact:
    prefixes, elsewhere = _prefixes(situation, "source"), _newest(situation)
    columns = {name: [*fact.columns[name]] for name in ("newest", "end", "records")}
    for at, row in enumerate(fact.rows("topic", "partition")):
        prefix = next((prefix for prefix in prefixes if row["topic"].startswith(prefix)), None)
        if prefix is None:
            continue
        topic = row["topic"].removeprefix(prefix)
        written = fact.collected_at or None if topic == "heartbeats" else elsewhere.get((topic, row["partition"]))
        columns["newest"][at] = written
        columns["end"][at] = columns["records"][at] = None
    return changed(fact, columns, fact.gaps)


def _group(fact: Fact, situation: Situation) -> Fact:
    prefixes = _prefixes(situation, "checkpoint") + _prefixes(situation, "source")
    mine = chosen(fact, ["topic"], lambda topic: topic.startswith(prefixes))
    return put(fact, mine, committed=None, end=None, lag=None, late=None)


def _metrics(fact: Fact, _: Situation) -> Fact:
    unknown = [None] * len(fact)
    words = ("record_age_ms", "latency_ms", "byte_rate")
    return changed(fact, {name: [*unknown] for name in words}, fact.gaps)


_SETS: dict[str, Change] = {
    "connect_connector": RUNNING.sets["connect_connector"],
    "connect_task": RUNNING.sets["connect_task"],
    "mirror_connector": _flow,
    "mirror_partition": _metrics,
    "kafka_partition_offset": _offset,
    "kafka_group_offset": _group,
}

RECOVERY = Recovery(
    help="Connectors of MirrorMaker run, and have caught up.",
    takes=("connectors",),
    sets=_SETS,
    leaves=all_but({*_SETS, *_CLOUDED}),
    entity="",
    of="",
    sources=(
        "KIP-382: MirrorMaker 2.0, its connectors, heartbeats and the names of remote topics",
        "KIP-545: committed offsets are translated while the checkpoint connector runs",
    ),
)
