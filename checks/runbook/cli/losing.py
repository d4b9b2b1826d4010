"""Work out what losses would do, from the facts of one environment, by the views that checks use."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from msgspec import Struct, structs

from runbook.cli.loss_asked import asked_loss
from runbook.engine.errors import UsageError
from runbook.engine.fact import Fact
from runbook.engine.gather import compute_view

PROBES = ("kafka_partition", "kafka_broker", "kafka_quorum")


class Scenario(Struct, frozen=True):
    """Something that may be lost, and what would follow. What is wrong already is counted in.

    Attributes:
        name: as in `broker 2 + rack az-b`.
        kind: broker, rack, two brokers, rack and broker, controller, two controllers; or asked.
        nodes: what is lost.
        partitions, topics: how many are hit; None where the loss is none of brokers, so that they stay as they are.
        refusing_writes, offline, at_risk: partitions.
        quorum: of the controllers: survives, lost, unknown, or none in ZooKeeper mode.
        worst_topics: the most hit first.
    """

    name: str
    kind: str
    nodes: list[int]
    partitions: int | None
    topics: int | None
    refusing_writes: int | None
    offline: int | None
    at_risk: int | None
    quorum: str
    worst_topics: list[str]

    def badness(self) -> tuple[int, ...]:
        """What scenarios are ordered by: the greater, the worse."""
        quorum = ("none", "survives", "unknown", "lost").index(self.quorum)
        return (int(self.quorum == "lost"), self.offline or 0, self.at_risk or 0, self.refusing_writes or 0, quorum)


class Analysis(Struct, frozen=True):
    """What would follow from losses in one environment.

    Attributes:
        environment: whose.
        counts: partitions, topics, brokers, racks, controllers: how many were looked at.
        already: partitions that refuse writes before anything is lost.
        replicas: topic -> the least replicas a partition of it has.
        scenarios: the worst first.
        missing: what could not be seen; empty if all of it was.
        inapplicable: why the question has no meaning there.
    """

    environment: str
    counts: dict[str, int]
    already: int
    replicas: dict[str, int]
    scenarios: list[Scenario]
    missing: list[str]
    inapplicable: str = ""


def analyze(
    environment: str, facts: Mapping[str, Fact], topics: Sequence[str], lose: Sequence[tuple[str, str]]
) -> Analysis:
    """Work out every loss of one thing, or of one planned and one unplanned; or only the one asked for.

    Raises:
        UsageError: what is to be lost, or every topic asked for, is not there although all could be seen.
    """
    partition, broker, quorum = (facts[probe] for probe in PROBES)
    partition = _only(partition, topics)
    if topics and not len(partition) and partition.complete and not partition.inapplicable:
        raise UsageError(f"{environment} has no topic {' or '.join(topics)}: see runbook probe kafka_topic")
    if lose:
        losses, votes = asked_loss(environment, lose, partition, broker, quorum)
    else:
        losses = compute_view("broker_loss", [partition, broker], {"brokers": 2, "racks": True})
        votes = compute_view("quorum_loss", [quorum, broker], {"nodes": 2, "racks": True})
    scenarios = _without_twins(sorted(_scenarios(losses, votes), key=_worst_first))
    missing = [gap.reason for fact in (losses, votes) for gap in fact.gaps]
    if any(scenario.quorum == "unknown" for scenario in scenarios) and votes.complete:
        missing.append(_why_unsure(broker, quorum))
    return Analysis(
        environment=environment,
        counts=_counts(partition, broker, quorum),
        already=max((row["already"] for row in losses.rows()), default=0),
        replicas=_replicas(partition),
        scenarios=scenarios,
        missing=list(dict.fromkeys(missing)),
        inapplicable=losses.inapplicable,
    )


def _why_unsure(broker: Fact, quorum: Fact) -> str:
    """Why the fate of the controllers is not known although all facts are there."""
    start = "whether the controllers keep their majority is not known for every loss: "
    state = zip(*(broker.columns[name] for name in ("broker", "fenced", "answers")), strict=True)
    silent = [str(node) for node, fenced, answers in state if not fenced and answers is not True]
    voters = [node for node, votes in zip(quorum.columns["node"], quorum.columns["voter"], strict=True) if votes]
    if silent:
        return f"{start}broker {', '.join(silent)} does not answer, and may be dead or only cut off from here"
    if set(voters) - set(broker.columns["broker"]):
        return f"{start}Kafka tells the racks of brokers, not those of controllers"
    return f"{start}a voter has not said how far it is"


def _only(partition: Fact, patterns: Sequence[str]) -> Fact:
    """The partitions of the topics whose names match one of the patterns; all without any."""
    if not patterns:
        return partition
    taken = [any(fnmatchcase(topic, pattern) for pattern in patterns) for topic in partition.columns["topic"]]
    columns = {
        name: [cell for cell, take in zip(cells, taken, strict=True) if take]
        for name, cells in partition.columns.items()
    }
    return structs.replace(partition, columns=columns)


def _scenarios(losses: Fact, votes: Fact) -> Iterator[Scenario]:
    fates = {row["scenario"]: row for row in votes.rows()}
    fallback = "none" if votes.inapplicable else "unknown"
    for row in losses.rows():
        fate = fates.pop(row["scenario"], None)
        yield Scenario(
            name=row["scenario"],
            kind=row["kind"],
            nodes=row["brokers"],
            partitions=row["partitions"],
            topics=row["topics"],
            refusing_writes=row["refusing_writes"],
            offline=row["offline"],
            at_risk=row["at_risk"],
            quorum=_fate(fate) if fate else fallback,
            worst_topics=row["worst_topics"],
        )
    for name, row in fates.items():
        parts = name.split(" + ")
        # A controller beside a broker adds nothing to the broker's partitions, nor the broker to the controllers.
        if all(part.startswith("controller ") for part in parts):
            kind = "controller" if len(parts) == 1 else "two controllers"
            yield Scenario(name, kind, row["nodes"], None, None, None, None, None, _fate(row), [])


def _fate(row: Mapping[str, Any]) -> str:
    return {True: "survives", False: "lost", None: "unknown"}[row["survives"]]


def _worst_first(scenario: Scenario) -> tuple[Any, ...]:
    return tuple(-n for n in scenario.badness()), scenario.name.count(" + "), scenario.nodes


def _without_twins(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Leave out a rack and a broker where that is two brokers: the rack has one, and nothing else that is known of."""
    pairs = {(tuple(one.nodes), one.badness()) for one in scenarios if one.kind == "two brokers"}
    return [one for one in scenarios if one.kind != "rack and broker" or (tuple(one.nodes), one.badness()) not in pairs]


def _counts(partition: Fact, broker: Fact, quorum: Fact) -> dict[str, int]:
    return {
        "partitions": len(partition),
        "topics": len(set(partition.columns["topic"])),
        "brokers": len(broker),
        "racks": len({rack for rack in broker.columns["rack"] if rack}),
        "controllers": sum(bool(votes) for votes in quorum.columns["voter"]),
    }


def _replicas(partition: Fact) -> dict[str, int]:
    least: dict[str, int] = {}
    for topic, replicas in zip(partition.columns["topic"], partition.columns["replicas"], strict=True):
        if replicas is not None:
            least[topic] = min(len(replicas), least.get(topic, len(replicas)))
    return least
