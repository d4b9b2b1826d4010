"""The verdict behind a fate: its reason, its offending rows with their keys, its gaps."""

from functools import lru_cache
from random import Random
from typing import Any

from kafka_lab.history.chance import chance
from kafka_lab.history.definitions import InventedCheck
from kafka_lab.history.environments import MadeEnvironment
from kafka_lab.history.fate import SimulatedOutcome
from runbook.model.fact import Gap
from runbook.model.gap_kind import GapKind
from runbook.model.result import JudgedRow, Outcome, Verdict
from runbook.model.sentence import shown

_MOST_ROWS = 4
_PARTITIONS = 6  # of every topic
_NOUNS = {"partition": "partitions", "topic": "topics", "broker": "brokers", "environment": "things"}
_FLOWS = (
    *("orders", "payments", "clicks", "invoices", "sessions", "shipments", "prices", "stock", "returns", "audit"),
    *("customers", "carts", "searches", "reviews", "tickets", "refunds", "alerts", "metrics", "devices", "events"),
)
_PARTS = ("raw", "clean", "v1", "v2", "retry", "dead", "daily")


def verdict_of(definition: InventedCheck, environment: MadeEnvironment, fate: SimulatedOutcome, seed: int) -> Verdict:
    """Say in the engine's words what a fate looks like; the same bout gives the same rows."""
    judged = _judged(definition, environment)
    match fate.outcome:
        case Outcome.PASS:
            return Verdict(Outcome.PASS, f"true of {judged} {_NOUNS[definition.about]}", judged=judged)
        case Outcome.NOT_APPLICABLE:
            return Verdict(Outcome.NOT_APPLICABLE, "there is none")
        case Outcome.UNKNOWN:
            gap = _gap(environment, fate)
            return Verdict(Outcome.UNKNOWN, shown(gap.reason), judged=judged, undecided=1, gaps=[gap])
        case Outcome.FAIL:
            return _failing(definition, environment, fate, judged, seed)


def _failing(
    definition: InventedCheck, environment: MadeEnvironment, fate: SimulatedOutcome, judged: int, seed: int
) -> Verdict:
    rows = _rows(definition, environment, fate, seed)
    effect = definition.effect or "{failed} of {judged} are not as they should be"
    reason = effect.replace("{failed}", str(len(rows))).replace("{judged}", str(judged))
    return Verdict(Outcome.FAIL, reason, rows, judged, len(rows))


def _judged(definition: InventedCheck, environment: MadeEnvironment) -> int:
    match definition.about:
        case "partition":
            return environment.topics * _PARTITIONS
        case "topic":
            return environment.topics
        case "broker":
            return environment.brokers
        case _:
            return 1


def _gap(environment: MadeEnvironment, fate: SimulatedOutcome) -> Gap:
    if fate.cause == "rights":
        return Gap("not allowed: Describe on the cluster is missing", kind=GapKind.DENIED)
    keys: dict[str, str | int] = {"broker": fate.broker, "rack": environment.rack(fate.broker)}
    return Gap(f"broker {fate.broker} did not answer in 2.0 s", keys, GapKind.TIMED_OUT, waited=2.0)


@lru_cache(maxsize=4096)
def _rows(
    definition: InventedCheck, environment: MadeEnvironment, fate: SimulatedOutcome, seed: int
) -> list[JudgedRow]:
    dice = chance(seed, "rows", definition.check, environment.name, fate.bout)
    if fate.cause == "drill":
        return [JudgedRow({}, f"the last drill was {fate.bout * 7} days ago; at most 182 are allowed")]
    if definition.about == "environment":
        return [JudgedRow({}, "it is not so")]
    if definition.about == "broker" and fate.broker:
        return [_row(definition, environment, fate, dice, fate.broker)]
    return list(
        {
            str(row.key): row
            for row in (
                _row(definition, environment, fate, dice, fate.broker or dice.randint(1, environment.brokers))
                for _ in range(dice.randint(1, _MOST_ROWS))
            )
        }.values()
    )


def _row(
    definition: InventedCheck, environment: MadeEnvironment, fate: SimulatedOutcome, dice: Random, broker: int
) -> JudgedRow:
    rack = environment.rack(broker)
    where: dict[str, list[Any]] = {"broker": [broker], "rack": [rack]}
    topic = f"{dice.choice(_FLOWS)}-{dice.choice(_PARTS)}"
    match definition.about:
        case "broker":
            what = "is out of order" if fate.cause == "incident" else "is not as it should be"
            return JudgedRow({"broker": broker}, f"broker {broker} in rack {rack} {what}", touches=where)
        case "partition":
            number = dice.randrange(_PARTITIONS)
            message = f"its replica on broker {broker} (rack {rack}) is not in order"
            where |= {"topic": [topic], "partition": [number]}
            return JudgedRow({"topic": topic, "partition": number}, message, touches=where)
        case _:
            return JudgedRow({"topic": topic}, "is not as it should be", touches={"topic": [topic]})
