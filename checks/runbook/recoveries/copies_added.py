"""Topics get the copies that the brokers in service can hold, three at most, each in a rack of its own where it can."""

from collections.abc import Mapping
from typing import Any, Final

from runbook.model.fact import Fact
from runbook.model.recovery import Change, Recovery, Situation, changed
from runbook.recoveries._brokers import SERVING, UNTOUCHED

_WANTED: Final = 3  # copies, as the checks of ha ask for by default


def _copies(situation: Situation) -> int | None:
    """How many copies there are then; None where it is not known which brokers could hold them."""
    broker = situation.facts.get("kafka_broker")
    if broker is None or not broker.complete or None in broker.columns["in_service"]:
        return None
    return min(_WANTED, broker.columns["in_service"].count(True))


def _racks(situation: Situation) -> dict[int, str | None]:
    """Brokers in service -> their rack."""
    broker = situation.facts["kafka_broker"]
    return {row["broker"]: row["rack"] for row in broker.rows("broker", "rack", "in_service") if row["in_service"]}


def _filled(replicas: list[int], racks: Mapping[int, str | None], copies: int) -> list[int]:
    """The replicas with more of them: next those whose rack holds the fewest."""
    found = [*replicas]
    while len(found) < copies and (others := [node for node in racks if node not in found]):
        held = [racks.get(node) for node in found]
        found.append(min(others, key=lambda node: (held.count(racks[node]), node)))
    return found


def _topic(fact: Fact, situation: Situation) -> Fact:
    copies = _copies(situation)
    mine = [name in situation.given["topics"] for name in fact.columns["name"]]
    cells = fact.columns["replication_factor"]
    more = [
        (None if copies is None or had is None else max(had, copies)) if of_mine else had
        for had, of_mine in zip(cells, mine, strict=True)
    ]
    return changed(fact, {"replication_factor": more}, fact.gaps)


def _partition(fact: Fact, situation: Situation) -> Fact:
    """Who leads stays; each new copy is in sync once it has what the first one has."""
    copies = _copies(situation)
    names = ("replicas", "isr", "out_of_sync", "elr", "racks", "needs")
    columns: dict[str, list[Any]] = {name: list(fact.columns[name]) for name in names}
    for place, row in enumerate(fact.rows("topic", "replicas", "isr", "min_insync_replicas")):
        if row["topic"] not in situation.given["topics"]:
            continue
        if copies is None or row["replicas"] is None or row["isr"] is None:
            for name in names:
                columns[name][place] = None
            continue
        racks = _racks(situation)
        replicas = _filled(row["replicas"], racks, copies)
        least = row["min_insync_replicas"]
        columns["replicas"][place] = replicas
        columns["isr"][place] = [node for node in replicas if node in row["isr"] or node not in row["replicas"]]
        columns["out_of_sync"][place] = [node for node in row["replicas"] if node not in row["isr"]]
        columns["elr"][place] = None if columns["out_of_sync"][place] else []
        held = [racks.get(node) for node in replicas]
        columns["racks"][place] = None if None in held else sorted({rack for rack in held if rack})
        columns["needs"][place] = None if least is None else min(least, len(replicas))
    return changed(fact, columns, fact.gaps)


def _replica(fact: Fact, situation: Situation) -> Fact:
    """With a row for each new copy: of those it is known where they are, and not who else leads."""
    copies = _copies(situation)
    held: dict[tuple[str, int], list[int]] = {}
    for row in fact.rows("topic", "partition", "broker"):
        held.setdefault((row["topic"], row["partition"]), []).append(row["broker"])
    columns = {name: [*cells] for name, cells in fact.columns.items()}
    for (topic, partition), nodes in held.items():
        if topic not in situation.given["topics"] or copies is None:
            continue
        for node in _filled(nodes, _racks(situation), copies)[len(nodes) :]:
            new = {"topic": topic, "partition": partition, "broker": node}
            new |= {"in_sync": True, "leads": False, "preferred": False}
            for name, cells in columns.items():
                cells.append(new.get(name))
    return changed(fact, columns, fact.gaps)


_SETS: Mapping[str, Change] = {"kafka_topic": _topic, "kafka_partition": _partition, "kafka_replica": _replica}
RECOVERY = Recovery(
    help="Topics get three copies, or as many as there are brokers in service, in as many racks as can be.",
    takes=("topics",),
    sets=_SETS,
    leaves=(UNTOUCHED - {"kafka_topic", "kafka_log_dir"}) | SERVING | {"kafka_quorum"},
    entity="",
    of="",
    sources=(
        "KIP-455: copies are added by reassignment, and the leader stays who it is",
        "KAFKA-15583 (3.7): min.insync.replicas counts at most as many as there are replicas",
    ),
)
