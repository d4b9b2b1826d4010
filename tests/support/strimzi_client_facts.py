"""What the objects that Strimzi's operators make for clients say, in the words of our probes of what is declared.

Clients are the workers of Connect and MirrorMaker, their connectors, bridges, and users.
"""

from typing import Any

from runbook.answers.kubernetes.pod import hard_spread, own_anti_affinity
from runbook.formats.quantity import quantity
from support.strimzi_facts import Made, environment, settings

_SOURCE = "source.cluster."


def pods(made: Made) -> dict[str, Any]:
    """What is asked for the pods of a group of workers, or of a bridge."""
    of, budget = made["sets"][0], made["budget"]
    resources = of["first"]["spec"]["containers"][0].get("resources", {})
    limits = resources.get("limits", {})
    asked = limits | resources.get("requests", {})  # what has a limit and asks for nothing asks for that
    return {
        "replicas": of["pods"],
        "budget": budget.get("maxUnavailable", of["pods"] - int(budget.get("minAvailable", 0))),
        "apart": sorted({*own_anti_affinity(of["first"]), *hard_spread(of["first"])}),
        "cpu_request": quantity(asked.get("cpu"), scale=1000),
        "memory_request": quantity(asked.get("memory")),
        "memory_limit": quantity(limits.get("memory")),
    }


def login(file: dict[str, str], before: str = "") -> dict[str, Any]:
    """How a client reaches a cluster and enters it, by the settings that begin so."""
    protocol = file[f"{before}security.protocol"]
    keys = any(f"{before}ssl.keystore.{name}" in file for name in ("key", "location"))
    mechanism = file.get(f"{before}sasl.mechanism", "custom").lower()
    known = mechanism if mechanism in ("plain", "scram-sha-256", "scram-sha-512") else "custom"
    return {
        "tls": protocol.endswith("SSL"),
        "authentication": known if protocol.startswith("SASL") else "tls" if protocol == "SSL" and keys else "",
    }


def workers(made: Made) -> dict[str, Any]:
    """What the workers of Connect and MirrorMaker are told."""
    file = settings(made["config"])
    factors = [int(file.get(f"{topic}.storage.replication.factor", "3")) for topic in ("offset", "config", "status")]
    known = [each for each in factors if each > 0]
    own = "io.strimzi.kafka.metrics" in file.get("metric.reporters", "")
    exports = environment(made["sets"][0]["first"]["spec"]["containers"][0]).get("KAFKA_CONNECT_JMX_EXPORTER_ENABLED")
    return {
        **pods(made),
        **login(file),
        "bootstrap": file["bootstrap.servers"],
        "group": file["group.id"],
        "topics": [file[f"{topic}.storage.topic"] for topic in ("offset", "config", "status")],
        "replication": min(known) if known else -1,
        "metrics": "strimziMetricsReporter" if own else "jmxPrometheusExporter" if exports == "true" else "",
    }


def sources(made: Made) -> dict[str, list[str]]:
    """Where the connectors of mirrors read without TLS, and without a login."""
    read = [{name: str(value) for name, value in each["config"].items()} for each in made["connectors"].values()]
    found = [(each[f"{_SOURCE}bootstrap.servers"], login(each, _SOURCE)) for each in read]
    return {
        "sources_in_clear": sorted({servers for servers, of in found if not of["tls"]}),
        "sources_without_login": sorted({servers for servers, of in found if not of["authentication"]}),
    }


def bridge(made: Made) -> dict[str, Any]:
    """What a bridge is told."""
    file = settings(made["config"])
    return {
        **pods(made),
        **login(file, "kafka."),
        "bootstrap": file["kafka.bootstrap.servers"],
        "http": "https" if file.get("http.ssl.enable") == "true" else "http",
        "metrics": file.get("bridge.metrics", ""),
    }


_KINDS = {"TOPIC": "topic", "GROUP": "group", "TRANSACTIONAL_ID": "transactionalId", "CLUSTER": "cluster"}


def user(made: Made) -> dict[str, Any]:
    """What the user operator gives a user."""
    return {
        "authentication": "tls" if made["certificate"] else "scram-sha-512" if made["password"] else "",
        "quotas": any((made["quotas"] or {}).values()),
    }


def rights(made: Made) -> list[tuple[Any, ...]]:
    """Rules of a user, one per operation."""
    return sorted(
        {
            (
                rule["type"],
                kind := _KINDS[rule["kind"]],
                "*" if kind == "cluster" else rule["name"],
                {"PREFIXED": "prefix"}.get(rule["pattern"], "literal"),
                rule["operation"],
                rule["host"],
            )
            for rule in made["rules"]
        }
    )


def single(made: Made) -> dict[str, Any]:
    """What a connector of its own is told."""
    config = made["config"]
    created = [
        int(value)
        for name, value in config.items()
        if name.startswith("topic.creation.") and name.endswith(".replication.factor") and int(value) > 0
    ]
    restart = made.get("autoRestart")
    return {
        "plugin": made["class"],
        "state": made.get("state", "running"),
        "tasks": made.get("tasksMax", 1),
        "restarts": restart is not None and restart.get("enabled", True),
        "replication": int(config.get("replication.factor", -1)),
        "created_replication": min(created, default=-1),
        "in_clear": sorted(name for name in config if "password" in name),
        "errors_tolerated": config.get("errors.tolerance") == "all",
        "errors_logged": str(config.get("errors.log.enable", False)),
        "dead_letters": config.get("errors.deadletterqueue.topic.name", ""),
    }


def connector(made: Made, name: str) -> dict[str, Any]:
    """What one mirror is told: its source connector, and the topics that its connectors make for themselves."""
    found = {end: made["connectors"].get(f"{name}.Mirror{end}Connector") for end in ("Source", "Checkpoint")}
    source = found["Source"] or found["Checkpoint"]
    inner = [
        int(each["config"].get(f"{topic}.topic.replication.factor", 3))
        for end, topic in (("Source", "offset-syncs"), ("Checkpoint", "checkpoints"))
        if (each := found[end])
    ]
    known = [each for each in inner if each > 0]
    restart = source.get("autoRestart") or {}
    return {
        "state": source.get("state", "running"),
        "tasks": source.get("tasksMax", 1),
        "restarts": "autoRestart" in source and restart.get("enabled", True),
        "replication": int(source["config"].get("replication.factor", 2 if found["Source"] else -1)),
        "inner_replication": min(known) if known else -1,
    }
