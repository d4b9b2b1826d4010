"""Work out what losses would do, from the facts of one environment, by the views that checks use.

What was not counted is None, with the reason in `missing`: never 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec import Struct, structs

from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.model.sentence import each_shown
from runbook.run.collection.fact_assembly import compute_view
from runbook.what_if.change_analysis import ChangeForecast, foretell
from runbook.what_if.change_request import ChangeRequest
from runbook.what_if.loss_request import LossFacts, asked_loss, loss_of_nothing

PROBES: Final = ("kafka_partition", "kafka_broker", "kafka_quorum")
NO_QUORUM: Final = "none"
"""What is said of the controllers where there are none: in ZooKeeper mode."""
_SURVIVES, _LOST = "survives", "lost"
_COUNTS: Final = ("partitions", "topics", "refusing_writes", "offline", "at_risk", "acks_1_at_risk")


class Scenario(Struct, frozen=True):
    """Something that may be lost, and what would follow. What is wrong already is counted in.

    Counts are None where they are not known.

    Attributes:
        name: as in `broker 2 + rack az-b`.
        kind: broker, rack, two brokers, rack and broker, controller, two controllers, broker and controller; or asked.
        nodes: what is lost.
        partitions, topics: how many refuse writes, are offline or at risk.
        refusing_writes, offline: partitions.
        at_risk: partitions of which no copy with all that acks=all acknowledged is left.
        acks_1_at_risk: partitions of which what only the leader had acknowledged (acks=1) may be lost.
        quorum: of the controllers: survives, lost, or none in ZooKeeper mode; None if it is not known.
        worst_topics: the most hit first.
        at_least: whether the counts are of what could be seen, and there may be more.
        as_now: whether nothing of partitions changes, as only controllers are lost.
    """

    name: str
    kind: str
    nodes: list[int]
    partitions: int | None
    topics: int | None
    refusing_writes: int | None
    offline: int | None
    at_risk: int | None
    acks_1_at_risk: int | None
    quorum: str | None
    worst_topics: list[str]
    at_least: bool = False
    as_now: bool = False

    def badness(self) -> tuple[int, ...]:
        """What scenarios are ordered by: the greater, the worse. What is not known is worse than nothing.

        Those that are equally bad know the same: two of which different counts are not known are not alike.
        """
        quorum = (NO_QUORUM, _SURVIVES, None, _LOST).index(self.quorum)
        counts = (self.offline, self.at_risk, self.refusing_writes)
        unknown = [int(count is None) for count in counts]
        return (int(self.quorum == _LOST), *(count or 0 for count in counts), quorum, sum(unknown), *unknown)


class Analysis(Struct, frozen=True):
    """What would follow from losses in one environment.

    Attributes:
        environment: whose.
        counts: partitions, topics, brokers, racks, controllers: how many were looked at; None if that is not known.
        already: partitions that refuse writes before anything is lost; None if that is not known.
        replicas: topic -> the least replicas a partition of it has.
        scenarios: the worst first.
        missing: what could not be seen; empty if all of it was.
        inapplicable: why the question has no meaning there.
        out_of_service: brokers that are fenced already, which every loss comes on top of.
        change: what a change does that was asked about; the losses are those after it then.
    """

    environment: str
    counts: dict[str, int | None]
    already: int | None
    replicas: dict[str, int]
    scenarios: list[Scenario]
    missing: list[str]
    inapplicable: str = ""
    out_of_service: list[int] = []
    change: ChangeForecast | None = None


def not_looked_at(environment: str, reason: str) -> Analysis:
    """Nothing is known of an environment, as it may be another cluster than the one that is meant."""
    counts: dict[str, int | None] = dict.fromkeys(("partitions", "topics", "brokers", "racks", "controllers"))
    return Analysis(environment, counts, None, {}, [], [reason])


def analyze_change(
    environment: str,
    facts: Mapping[str, Fact],
    topics: Sequence[str],
    lose: Sequence[tuple[str, str]],
    change: ChangeRequest,
) -> Analysis:
    """Work out what a change does, and every loss when it is done; see `analyze`.

    Raises:
        UsageError: a topic or a broker that is to be changed is not there although all could be seen.
    """
    _is_there(environment, facts, change)
    forecast, after = foretell(facts, change)
    later = analyze(environment, after, topics, lose)
    return structs.replace(later, change=forecast, missing=[*later.missing, *forecast.missing])


def _is_there(environment: str, facts: Mapping[str, Fact], change: ChangeRequest) -> None:
    partition, broker = facts["kafka_partition"], facts["kafka_broker"]
    for pattern in change.minimums:
        if partition.complete and not any(fnmatchcase(topic, pattern) for topic in {*partition.columns["topic"]}):
            raise UsageError(f"{environment} has no topic {pattern}: see runbook probe kafka_topic")
    for number in change.removed:
        if broker.complete and number not in broker.columns["broker"]:
            known = ", ".join(map(str, sorted(broker.columns["broker"])))
            raise UsageError(f"{environment} has no broker {number}; it has: {known or 'none'}")


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
    losses = asked_loss(environment, lose, partition, broker, quorum) if lose else _every_loss(facts, partition)
    nothing = loss_of_nothing(partition, broker, quorum)
    broker_loss = losses.brokers
    now = _now(nothing)
    scenarios = _without_twins(sorted(_scenarios(losses, now), key=_worst_first))
    missing = each_shown(gap.reason for fact in (broker_loss, losses.leaders, losses.votes) for gap in fact.gaps)
    if (
        any(scenario.quorum is None for scenario in (*scenarios, *now))
        and losses.votes.complete
        and not broker_loss.inapplicable
    ):
        missing.append(_why_unsure(broker, quorum))
    return Analysis(
        environment=environment,
        counts=_counts(partition, broker, quorum),
        already=next((scenario.refusing_writes for scenario in now), None),
        replicas=_replicas(partition),
        scenarios=scenarios,
        missing=list(dict.fromkeys(missing)),
        inapplicable=broker_loss.inapplicable,
        out_of_service=sorted(row["broker"] for row in broker.rows("broker", "fenced") if row["fenced"]),
    )


def _every_loss(facts: Mapping[str, Fact], partition: Fact) -> LossFacts:
    _, broker, quorum = (facts[probe] for probe in PROBES)
    return LossFacts(
        compute_view("broker_loss", {"partition": partition, "broker": broker}, {"brokers": 2, "racks": True}),
        compute_view("leader_loss", {"partition": partition, "broker": broker}, {"brokers": 2, "racks": True}),
        compute_view("quorum_loss", {"quorum": quorum, "broker": broker}, {"nodes": 2, "racks": True}),
    )


def _why_unsure(broker: Fact, quorum: Fact) -> str:
    """Why the fate of the controllers is not known although all facts are there."""
    start = "whether the controllers keep their majority is not known for every loss, nor what is elected without: "
    state = zip(*(broker.columns[name] for name in ("broker", "fenced", "answers")), strict=True)
    silent = [str(node) for node, fenced, answers in state if not fenced and answers is not True]
    voters = [node for node, votes in zip(quorum.columns["node"], quorum.columns["voter"], strict=True) if votes]
    if silent:
        who = f"broker {silent[0]} does" if len(silent) == 1 else f"brokers {', '.join(silent)} do"
        return f"{start}{who} not answer, and may be dead or only cut off from here"
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


def _now(nothing: LossFacts) -> list[Scenario]:
    """How it is before anything is lost; none where even that can't be worked out."""
    return list(_scenarios(nothing, []))


def _scenarios(losses: LossFacts, now: Sequence[Scenario]) -> Iterator[Scenario]:
    fates = {row["scenario"]: row for row in losses.votes.rows()}
    unled = {row["scenario"]: row for row in losses.leaders.rows()}
    fallback = NO_QUORUM if losses.votes.inapplicable else None
    exact = losses.brokers.complete and losses.leaders.complete
    by_name = {row["scenario"]: row for row in losses.brokers.rows()}
    for name, row in by_name.items():
        fate = fates.pop(name, None)
        yield _scenario(row, unled.get(name), _fate(fate) if fate else fallback, exact=exact)
    for name, fate in fates.items():
        parts = name.split(" + ")
        others = [part for part in parts if not part.startswith("controller ")]
        if not others:
            kind = "controller" if len(parts) == 1 else "two controllers"
            yield from (
                structs.replace(
                    scenario,
                    name=name,
                    kind=kind,
                    nodes=fate["nodes"],
                    quorum=_fate(fate),
                    worst_topics=[],
                    as_now=True,
                )
                for scenario in now
            )
        # A controller beside a broker adds nothing to the broker's partitions while the majority holds.
        elif fate["survives"] is not True and len(others) == 1 and others[0] in by_name:
            beside = _scenario(by_name[others[0]], unled.get(others[0]), _fate(fate), exact=exact)
            yield structs.replace(beside, name=name, kind=f"{beside.kind} and controller", nodes=fate["nodes"])


def _scenario(
    elected: Mapping[str, Any], unled: Mapping[str, Any] | None, quorum: str | None, *, exact: bool
) -> Scenario:
    """A loss, with the counts that follow from what becomes of the controllers.

    Args:
        elected: of broker_loss: what follows where replicas are promoted.
        unled: of leader_loss: what follows where nobody is elected; None if that is not known.
        quorum: what becomes of the controllers' majority.
        exact: whether all of it could be seen. Otherwise there may be more, and none that was counted is not none.
    """
    stuck = unled or {}
    counts: dict[str, int | None] = {name: elected.get(name) for name in _COUNTS}
    counts["acks_1_at_risk"] = stuck.get("acks_1_at_risk")
    for name in ("partitions", "topics", "refusing_writes", "offline"):
        if quorum == _LOST:
            counts[name] = stuck.get(name)
        elif quorum is None and elected[name] != stuck.get(name):
            counts[name] = None
    if not exact:
        counts = {name: count or None for name, count in counts.items()}
    return Scenario(
        name=elected["scenario"],
        kind=elected["kind"],
        nodes=elected["brokers"],
        quorum=quorum,
        worst_topics=stuck.get("worst_topics", []) if quorum == _LOST else elected["worst_topics"],
        at_least=not exact and any(counts.values()),
        partitions=counts["partitions"],
        topics=counts["topics"],
        refusing_writes=counts["refusing_writes"],
        offline=counts["offline"],
        at_risk=counts["at_risk"],
        acks_1_at_risk=counts["acks_1_at_risk"],
    )


def _fate(row: Mapping[str, Any]) -> str | None:
    return {True: _SURVIVES, False: _LOST, None: None}[row["survives"]]


def _worst_first(scenario: Scenario) -> tuple[Any, ...]:
    return tuple(-n for n in scenario.badness()), scenario.name.count(" + "), scenario.nodes


def _without_twins(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """Leave out a rack and a broker where that is two brokers: the rack has one, and nothing else that is known of."""
    pairs = {(tuple(scenario.nodes), scenario.badness()) for scenario in scenarios if scenario.kind == "two brokers"}
    return [
        scenario
        for scenario in scenarios
        if scenario.kind != "rack and broker" or (tuple(scenario.nodes), scenario.badness()) not in pairs
    ]


def _counts(partition: Fact, broker: Fact, quorum: Fact) -> dict[str, int | None]:
    counted = {
        "partitions": (len(partition), partition),
        "topics": (len(set(partition.columns["topic"])), partition),
        "brokers": (len(broker), broker),
        "racks": (len({rack for rack in broker.columns["rack"] if rack}), broker),
        "controllers": (sum(bool(votes) for votes in quorum.columns["voter"]), quorum),
    }
    known = {"racks": None not in broker.columns["rack"], "controllers": None not in quorum.columns["voter"]}
    return {
        name: count if count or (fact.complete and known.get(name, True)) else None
        for name, (count, fact) in counted.items()
    }


def _replicas(partition: Fact) -> dict[str, int]:
    least: dict[str, int] = {}
    for topic, replicas in zip(partition.columns["topic"], partition.columns["replicas"], strict=True):
        if replicas is not None:
            least[topic] = min(len(replicas), least.get(topic, len(replicas)))
    return least
