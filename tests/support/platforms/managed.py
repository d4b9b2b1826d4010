"""A managed service that hides its hosts and half of its settings.

The facts are a lab's, and what such services do not show is taken out of them, as the references of Amazon MSK,
Confluent Cloud and Aiven tell: no host, no metric by JMX, no controllers, no log directories, no SCRAM users, no
reassignments; of the brokers' settings those that the service lets its customers choose.
"""

from typing import Final

from msgspec.structs import replace

from runbook.evidence.bundle import Bundle, Kept
from runbook.model.fact import Fact
from runbook.parse.inventory import Target
from runbook.run.collection.fact_assembly import facts_without_asking
from support.platforms import as_the_page_says, recorded

WHAT: Final = "a managed service: hosts, controllers and half of the brokers' settings hidden"
MADE_BY: Final = "the lab with logins, with what services hide taken out after their references"
RUNBOOKS: Final = ("ha", "security", "os-hardware", "kubernetes", "gc")
MENDED_BY: Final = {"production-has-five-brokers": "the number of brokers"}
CHOSEN: Final = (
    "broker",
    "min_insync_replicas",
    "default_replication_factor",
    "num_partitions",
    "unclean_leader_election",
    "auto_create_topics",
    "max_message_bytes",
)
"""Columns of kafka_broker_config that stay."""
_SERVES: Final = ("kafka", "tls")


def bundle() -> Bundle:
    """Its facts."""
    seen = recorded("brokers_with_logins")
    [environment] = seen.environments.values()
    served = replace(seen, connections={"secure": [*_SERVES]})
    declared = as_the_page_says(served, "managed-services", params=environment.params)
    target = Target("secure", declared.environments["secure"], {kind: {} for kind in _SERVES})
    return replace(declared, kept=[_as_shown(kept, target) for kept in seen.kept if kept.ask.connection in _SERVES])


def _as_shown(kept: Kept, target: Target) -> Kept:
    facts = facts_without_asking(kept.ask, target) or {name: _hidden(fact) for name, fact in kept.facts.items()}
    return replace(kept, facts=facts)


def _hidden(fact: Fact) -> Fact:
    if fact.source == "kafka_broker_config":
        shown = {name: cells if name in CHOSEN else [None] * len(cells) for name, cells in fact.columns.items()}
        return replace(fact, columns=shown)
    if fact.source == "kafka_broker_setting":
        rows = [row for row in fact.rows() if str(row["setting"]).replace(".", "_") in CHOSEN]
        return replace(fact, columns={name: [row[name] for row in rows] for name in fact.columns})
    return fact
