"""The lines of an inventory that give a connection: as an example, or for the brokers that a cluster told."""

import json
from collections.abc import Callable, Sequence
from typing import Final

Brokers = Sequence[tuple[int, str]]
"""Node ids and hosts."""

ANY_BROKER: Final[Brokers] = ((1, "kafka-1.example"),)
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


def line_for(kind: str, brokers: Brokers = ANY_BROKER) -> str:
    """The line of an inventory that gives a connection, with the hosts of its brokers; "" for a connection of users."""
    settings = _OF_BROKERS[kind](brokers) if kind in _OF_BROKERS else _OTHERS.get(kind, "")
    return f"{kind}: {settings}" if settings else ""
