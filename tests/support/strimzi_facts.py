"""What the objects that Strimzi's operator makes say, in the words of our probes of what is declared.

Each function is about one column. It reads generated pods, claims, budgets and configuration files only, and nothing
of the resource but names; a default of Kafka counts where a file does not have a setting.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from runbook.answers.kubernetes.pod import hard_spread, own_anti_affinity
from runbook.formats.quantity import quantity

Made = dict[str, Any]
_OPERATORS: Final = ",O=io.strimzi"
"""How the operator's own super users end: brokers, entity operator, Cruise Control, exporter and itself."""


def settings(lines: list[str]) -> dict[str, str]:
    """A properties file as generated; of a name that stands there twice the last counts."""
    return {line.partition("=")[0].strip(): line.partition("=")[2].strip() for line in lines}


def broker(made: Made) -> Made:
    """The first node that is a broker."""
    found: Made = next(node for node in made["nodes"].values() if node["broker"])
    return found


def setting(name: str, default: str) -> Callable[[Made], str]:
    """A setting of a broker, or Kafka's default."""
    return lambda made: settings(broker(made)["config"]).get(name, default).lower()


def _nodes(role: str) -> Callable[[Made], int]:
    return lambda made: sum(node[role] for node in made["nodes"].values())


def super_users(made: Made) -> list[str]:
    """The owner's super users."""
    written = settings(broker(made)["config"]).get("super.users", "")
    return [each for each in written.split(";") if each and not each.endswith(_OPERATORS)]


def rack(made: Made) -> str:
    """What becomes the broker's rack: a label that an init container reads, a variable, or nothing."""
    value = settings(broker(made)["config"]).get("broker.rack", "")
    if "__" not in value and not value:
        return ""
    variable = re.fullmatch(r"\$\{strimzienv:(.*)\}", value)
    if variable:
        return f"variable {variable[1]}"
    pods = [each["first"]["spec"] for each in made["sets"] if each["first"]]
    [key] = {
        each["value"]
        for pod in pods
        for container in pod.get("initContainers", [])
        for each in container["env"]
        if each["name"] == "RACK_TOPOLOGY_KEY"
    }
    return f"label {key}"


def budget(made: Made) -> int:
    """Pods that may be away."""
    return len(made["nodes"]) - int(made["budget"]["minAvailable"])


def cruise_control(made: Made) -> bool:
    """Whether brokers report to it."""
    return "CruiseControlMetricsReporter" in settings(broker(made)["config"]).get("metric.reporters", "")


def metrics(made: Made) -> str:
    """How brokers export metrics."""
    own = "io.strimzi.kafka.metrics" in settings(broker(made)["config"]).get("metric.reporters", "")
    pods = [each["first"]["spec"] for each in made["sets"] if each["first"]]
    exports = environment(pods[0]["containers"][0]).get("KAFKA_JMX_EXPORTER_ENABLED") == "true"
    return "strimziMetricsReporter" if own else "jmxPrometheusExporter" if exports else ""


def authorization(made: Made) -> str:
    """Type of authorization."""
    name = settings(broker(made)["config"]).get("authorizer.class.name", "")
    return {"": "", "org.apache.kafka.metadata.authorizer.StandardAuthorizer": "simple"}.get(name, "custom")


def operator(which: str) -> Callable[[Made], bool]:
    """Whether the entity operator has one of its two."""
    return lambda made: made.get("entityOperator", {}).get(which, False)


def environment(container: Made) -> dict[str, str]:
    """Variables of a container."""
    return {each["name"]: each.get("value", "") for each in container["env"]}


KAFKA: Final[dict[str, Callable[[Made], Any]]] = {
    "brokers": _nodes("broker"),
    "controllers": _nodes("controller"),
    "default_replication": setting("default.replication.factor", "1"),
    "min_insync": setting("min.insync.replicas", "1"),
    "offsets_replication": setting("offsets.topic.replication.factor", "3"),
    "transactions_replication": setting("transaction.state.log.replication.factor", "3"),
    "transactions_min_insync": setting("transaction.state.log.min.isr", "2"),
    "unclean_election": setting("unclean.leader.election.enable", "false"),
    "allows_unlisted": setting("allow.everyone.if.no.acl.found", "false"),
    "authorization": authorization,
    "super_users": super_users,
    "rack": rack,
    "budget": budget,
    "cruise_control": cruise_control,
    "metrics": metrics,
    "topic_operator": operator("topic"),
    "user_operator": operator("user"),
}


def ignored(made: Made, config: dict[str, Any]) -> list[str]:
    """Settings of `config` that no node got as they are written."""
    files = [settings(node["config"]) for node in made["nodes"].values() if node["broker"]]
    return sorted(
        name
        for name, value in config.items()
        if not any(text(value) in (file.get(name), *file.get(name, "\0").split(",")) for file in files)
    )


def text(value: Any) -> str:
    """A value as properties have it."""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


# The pools: of one without nodes nothing but their number is made.


def _pool_set(made: Made, pool: str) -> Made:
    found: Made = next(each for each in made["sets"] if each["name"].endswith(f"-{pool}"))
    return found


def _container(made: Made, pool: str) -> Made:
    found: Made = _pool_set(made, pool)["first"]["spec"]["containers"][0]
    return found


def _resource(made: Made, pool: str, which: str, name: str) -> Any:
    resources = _container(made, pool).get("resources", {})
    # what has a limit and asks for nothing asks for that (the API server does this)
    return resources.get(which, {}).get(name, resources.get("limits", {}).get(name))


def _claims(made: Made, pool: str) -> list[Made]:
    """Those of its first pod."""
    first = _pool_set(made, pool)["first"]["metadata"]["name"]
    return [claim for claim in made["claims"] if claim["name"].endswith(f"-{first}")]


def _mounted(made: Made, pool: str) -> list[str]:
    return [each["name"] for each in _container(made, pool)["volumeMounts"] if each["name"].startswith("data")]


def _id(name: str) -> str:
    found = re.match(r"data-(\d+)", name)
    return found[1] if found else "-"


def _lost(made: Made, pool: str) -> list[str]:
    volumes = _pool_set(made, pool)["first"]["spec"]["volumes"]
    return [_id(each["name"]) for each in volumes if each["name"] in _mounted(made, pool) and "emptyDir" in each]


def _heap(option: str) -> Callable[[Made, str], int]:
    def of(made: Made, pool: str) -> int:
        found = re.search(rf"-{option}(\d+)([kmgKMG]?)", environment(_container(made, pool)).get("KAFKA_HEAP_OPTS", ""))
        if found and found[0] == "-Xms128M":  # the operator's, where none is declared
            return 0
        return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2].lower()] if found else 0

    return of


def _roles(made: Made, pool: str) -> list[str]:
    marks = _pool_set(made, pool)["first"]["metadata"]["labels"]
    return sorted(role for role in ("broker", "controller") if marks[f"strimzi.io/{role}-role"] == "true")


def _apart(made: Made, pool: str) -> list[str]:
    pod = _pool_set(made, pool)["first"]
    return sorted({*own_anti_affinity(pod), *hard_spread(pod)})


POOL: Final[dict[str, Callable[[Made, str], Any]]] = {
    "replicas": lambda made, pool: _pool_set(made, pool)["pods"],
    "roles": _roles,
    "volumes": lambda made, pool: len(_mounted(made, pool)),
    "ephemeral": _lost,
    "deleted": lambda made, pool: [
        _id(claim["name"])
        for claim in _claims(made, pool)
        if claim["owned"] and claim["annotations"]["strimzi.io/delete-claim"] == "true"
    ],
    "sizes": lambda made, pool: sorted({claim["size"] for claim in _claims(made, pool)}),
    "classes": lambda made, pool: sorted({claim["class"] for claim in _claims(made, pool)} - {None}),
    "cpu_request": lambda made, pool: quantity(_resource(made, pool, "requests", "cpu"), scale=1000),
    "memory_request": lambda made, pool: quantity(_resource(made, pool, "requests", "memory")),
    "memory_limit": lambda made, pool: quantity(
        _container(made, pool).get("resources", {}).get("limits", {}).get("memory")
    ),
    "heap_min": _heap("Xms"),
    "heap_max": _heap("Xmx"),
    "apart": _apart,
}


def listener(made: Made, name: str, port: int) -> dict[str, Any]:
    """What a broker's file says of a listener, and Services and network policies of the way to it."""
    file = settings(broker(made)["config"])
    identity = f"{name}-{port}"
    protocols = dict(each.split(":") for each in file["listener.security.protocol.map"].split(","))
    protocol = protocols[identity.upper()]
    prefix = f"listener.name.{identity}"
    kind = ""
    if protocol.startswith("SASL"):
        mechanisms = file.get(f"{prefix}.sasl.enabled.mechanisms", "").lower()
        kind = "scram-sha-512" if mechanisms == "scram-sha-512" else "custom"
    elif protocol == "SSL" and file.get(f"{prefix}.ssl.client.auth") == "required":
        kind = "tls"
    return {
        "tls": protocol.endswith("SSL"),
        "authentication": kind,
        "outside": _is_outside(made["services"], name),
        "peers": made["lets in"][str(port)] or -1,  # a rule without peers is for everybody
    }


def _is_outside(services: Made, name: str) -> bool:
    """Whether what leads to a listener is more than a Service of the cluster."""
    leads = re.compile(rf"(.*/orders-kafka-{name}-bootstrap|.*-{name}-\d+|[^/]*/orders-kafka-external-bootstrap)")
    return any(made["type"] != "ClusterIP" for where, made in services.items() if leads.fullmatch(where))
