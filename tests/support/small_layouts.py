"""Bundles of small layouts: brokers in racks, partitions on them, controllers, for tests of what a loss would stop."""

from pathlib import Path

from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
from runbook.model.ask import FactQuestion
from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.parse.inventory import Environment

RACKS = {1: "az-a", 2: "az-b", 3: "az-c"}
TOPICS = {"orders": [[1, 2, 3], [2, 3, 1]], "audit": [[1, 2]]}


def partition(topics: dict[str, list[list[int]]], down: tuple[int, ...] = ()) -> Fact:
    """Partitions that need two in sync; all replicas that are up are in sync."""
    rows = [(topic, i, nodes) for topic, partitions in topics.items() for i, nodes in enumerate(partitions)]
    return Fact(
        "kafka_partition",
        {
            "topic": [topic for topic, _, _ in rows],
            "partition": [i for _, i, _ in rows],
            "leader": [next((node for node in nodes if node not in down), -1) for _, _, nodes in rows],
            "replicas": [nodes for _, _, nodes in rows],
            "isr": [[node for node in nodes if node not in down] for _, _, nodes in rows],
            "elr": [[] for _ in rows],
            "needs": [2 for _ in rows],
            "unclean_leader_election": [False for _ in rows],
        },
    )


def broker(racks: dict[int, str], down: tuple[int, ...] = ()) -> Fact:
    """Brokers in racks, those of `down` fenced."""
    return Fact(
        "kafka_broker",
        {
            "broker": [*racks],
            "rack": [*racks.values()],
            "fenced": [node in down for node in racks],
            "answers": [node not in down for node in racks],
        },
    )


def quorum(nodes: tuple[int, ...]) -> Fact:
    """Controllers that all have caught up."""
    return Fact(
        "kafka_quorum",
        {"node": [*nodes], "voter": [True for _ in nodes], "last_caught_up_ms": [5 for _ in nodes]},
    )


def keep(file: Path, facts: list[Fact], *, given: str = "{}", gaps: tuple[str, ...] = ()) -> str:
    """Keep facts as the bundle of an environment `prod`; the first of them with these gaps."""
    facts[0].gaps = [from_sentence(reason) for reason in gaps]
    kept = [Kept(FactQuestion("prod", "kafka", fact.source, given), {"": fact}) for fact in facts]
    now = "2026-11-21T10:00:00+00:00"
    save_bundle(file, Bundle(FORMAT, "0", "run", now, {"prod": Environment()}, {"prod": ["kafka"]}, [], kept))
    return str(file)


def table(out: str) -> dict[str, list[str]]:
    """The rows of the table: what is lost -> the cells beside it."""
    lines = [line.split("   ") for line in out.splitlines() if not line.startswith(" ")]  # but for the head's first
    return {cells[0]: [cell.strip() for cell in cells[1:] if cell.strip()] for cells in lines if len(cells) > 1}
