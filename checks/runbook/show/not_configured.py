"""What an inventory says nothing of: which connections there are beside those given, and the lines that give them."""

import json
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from runbook.judge.summary import counted
from runbook.model.errors import Problem
from runbook.model.fact import Fact
from runbook.parse.absences import NO_REASON
from runbook.parse.connection_lines import ANY_BROKER, Brokers, line_for
from runbook.parse.inventory import Inventory, Target
from runbook.parse.unobserved import ALWAYS_THERE
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.show.reachability import Reached, ways_of
from runbook.terminal.columns import beside


def brokers_of(facts: Mapping[str, Fact]) -> Brokers:
    """The brokers that a cluster told, or one as an example."""
    fact = facts.get("kafka_broker")
    brokers = [(row["broker"], row["host"]) for row in fact.rows() if row["host"]] if fact else []
    return sorted(brokers) or ANY_BROKER


def not_said(target: Target) -> dict[str, int]:
    """Each connection of which nothing is said, given, absent or unobserved, and how many probes ask over it."""
    probes: dict[str, int] = {}
    for probe in catalog("probes").names():
        first = ways_of(target, probe)[0]
        probes[first] = probes.get(first, 0) + 1
    said = {*target.connections, *target.environment.absent, *target.environment.unobserved}
    return {kind: probes[kind] for kind in catalog("connections").names() if kind not in said and kind in probes}


def not_configured(target: Target, facts: Mapping[str, Fact] | None) -> Iterator[str]:
    """Say of each connection of which nothing is said what asks over it, and how to say what is true."""
    silent = not_said(target)
    if not silent:
        return
    told = "not said, so that what asks there is unknown. Add the lines that are true, or say why there is none, "
    told += "or that what always exists is not observed:"
    yield beside("  ", told)
    for kind in silent:
        yield sanitize(f"    {line_for(kind, brokers_of(facts or {})):<70}  # {counted(silent[kind], 'probe')}")
    of = target.environment
    reasons = {kind: json.dumps(why, ensure_ascii=False) for kind, why in of.absent.items()}
    reasons |= dict.fromkeys((kind for kind in silent if kind not in ALWAYS_THERE), NO_REASON)
    if reasons:
        yield sanitize(f"    absent: {{{', '.join(f'{kind}: {why}' for kind, why in reasons.items())}}}")
    if left := [kind for kind in silent if kind in ALWAYS_THERE]:
        entries = {
            kind: json.dumps(msgspec.to_builtins(one), ensure_ascii=False) for kind, one in of.unobserved.items()
        }
        entries |= dict.fromkeys(left, "{because: WHY, owner: TEAM, until: DATE}")
        yield sanitize(f"    unobserved: {{{', '.join(f'{kind}: {entry}' for kind, entry in entries.items())}}}")


def environments_json(
    inventory: Inventory, targets: Sequence[Target], found: Sequence[Reached], wrong: Sequence[Problem] = ()
) -> str:
    """What can be reached and seen of environments, and what is wrong with their inventory, for programs."""
    entries = [
        {**msgspec.to_builtins(reached), "not_said": not_said(target)}
        for target, reached in zip(targets, found, strict=True)
    ]
    document = {"inventory": inventory.file, "default": inventory.default, "environments": entries}
    return sanitize_json(
        document
        | {
            "mistakes": [
                {**problem.place._asdict(), "message": problem.message, "remedy": problem.remedy} for problem in wrong
            ]
        }
    )
