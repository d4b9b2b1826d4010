"""What an inventory says nothing of: which connections there are beside those given, and the lines that give them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from runbook.cli.columns import beside
from runbook.cli.reach import Reached, ways_of
from runbook.judge.summary import counted
from runbook.model.errors import Problem
from runbook.model.fact import Fact
from runbook.parse.absences import NO_REASON
from runbook.parse.inventory import Inventory, Target
from runbook.plugins.catalog import catalog
from runbook.safety.sanitize import sanitize, sanitize_json

Brokers = Sequence[tuple[int, str]]
"""Node ids and hosts."""

_UNKNOWN: Final[Brokers] = ((1, "kafka-1.example"),)
_OTHERS: Final = {
    "kafka": '{bootstrap.servers: "kafka-1.example:9092"}',
    "kubernetes": "{kubeconfig: /etc/runbook/kubeconfig, namespace: kafka}",
    "prometheus": '{url: "https://prometheus.example", selector: {job: kafka}}',
    "schema_registry": '{url: "http://registry.example:8081"}',
    "connect": '{workers: {connect-1: "http://connect-1.example:8083"}}',
    "zookeeper": '{servers: {zk-1: {address: "zk-1.example:2181"}}}',
    "tls": "{}",
    "manifests": "{paths: deploy/}",
    "files": "{clients: [{name: billing, kind: consumer, path: /etc/billing/consumer.properties}]}",
    "records": "{attestations: /etc/runbook/attestations.yaml}",
}


def _ssh(brokers: Brokers) -> str:
    hosts = ", ".join(f"broker-{id_}: {{address: {json.dumps(host)}, broker: {id_}}}" for id_, host in brokers)
    return f"{{user: runbook, hosts: {{{hosts}}}}}"


def _jolokia(brokers: Brokers) -> str:
    agents = ", ".join(f"{id_}: {json.dumps(f'http://{host}:8778/jolokia')}" for id_, host in brokers)
    return f"{{agents: {{{agents}}}}}"


_OF_BROKERS: Final[dict[str, Callable[[Brokers], str]]] = {"ssh": _ssh, "jolokia": _jolokia}


def line_for(kind: str, brokers: Brokers = _UNKNOWN) -> str:
    """The line of an inventory that gives a connection, with the hosts of its brokers; "" for a connection of users."""
    settings = _OF_BROKERS[kind](brokers) if kind in _OF_BROKERS else _OTHERS.get(kind, "")
    return f"{kind}: {settings}" if settings else ""


def brokers_of(facts: Mapping[str, Fact]) -> Brokers:
    """The brokers that a cluster told, or one as an example."""
    fact = facts.get("kafka_broker")
    brokers = [(row["broker"], row["host"]) for row in fact.rows() if row["host"]] if fact else []
    return sorted(brokers) or _UNKNOWN


def not_said(target: Target) -> dict[str, int]:
    """Each connection that is neither given nor declared absent, and how many probes ask over it."""
    probes: dict[str, int] = {}
    for probe in catalog("probes").names():
        first = ways_of(target, probe)[0]
        probes[first] = probes.get(first, 0) + 1
    said = {*target.connections, *target.environment.absent}
    return {kind: probes[kind] for kind in catalog("connections").names() if kind not in said and kind in probes}


def not_configured(target: Target, facts: Mapping[str, Fact] | None) -> Iterator[str]:
    """Say of each connection that is neither given nor declared absent what asks over it, and how to say either."""
    silent = not_said(target)
    if not silent:
        return
    told = "not said, so that what asks there is unknown. Add the lines that are true, or say why there is none:"
    yield beside("  ", told)
    for kind in silent:
        yield sanitize(f"    {line_for(kind, brokers_of(facts or {})):<70}  # {counted(silent[kind], 'probe')}")
    reasons = {kind: json.dumps(why, ensure_ascii=False) for kind, why in target.environment.absent.items()}
    reasons |= dict.fromkeys(silent, NO_REASON)
    yield sanitize(f"    absent: {{{', '.join(f'{kind}: {why}' for kind, why in reasons.items())}}}")


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
