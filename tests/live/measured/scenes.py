"""Three brokers, a producer and a consumer, all of which show metrics: through Jolokia, as pages and by Prometheus."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

import kafka_lab as labs
from kafka_lab import LabState, http, waiting
from kafka_lab.admin import kafka_python
from kafka_lab.breaking import in_force
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import clients, jmx, prometheus
from kafka_lab.signs import refuses
from kafka_lab.state import known
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene, inventory_of, none_of, proved_also
from support.evidence.labs import kafka_lab
from support.evidence.scene import Claims, Scene, State, scene

_SETTLED_WITHIN: Final = 180.0  # seconds; Prometheus scrapes every ten, and a busy machine takes its time
_PARTS: Final = ["jmx", "clients", "prometheus"]
_ANY: Final = tuple(Outcome)
_LOGGER: Final = "kafka.request.logger"


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "jolokia": jmx.JOLOKIA, "jmx exporter": jmx.EXPORTER}


def lacking() -> str:
    """Prometheus is needed."""
    return prometheus.lacking()


@contextmanager
def lab(folder: Path) -> Iterator[LabState]:
    """Such a lab, once every way tells of every JVM."""
    with kafka_lab("measured", folder, _PARTS) as up:
        waiting.wait_until(lambda: all(_gives_metrics(up).values()), "metrics of every JVM", within=_SETTLED_WITHIN)
        yield up


def _gives_metrics(lab: LabState) -> Mapping[str, bool]:
    """Whether Prometheus has scraped every target twice, and the clients have measured their work."""
    agents = jmx.agent_addresses(lab.parts["clients"])
    return {
        "Prometheus has scraped every target": _matches(lab, "up == 1") == 5,
        "Prometheus has done so twice": _matches(lab, "count_over_time(up[2m]) >= 2") == 5,
        "the producer has sent records": _measured(
            agents["producer"], "kafka.producer:type=producer-metrics,client-id=*", "record-send-rate"
        ),
        "the consumer has fetched records": _measured(
            agents["consumer"], "kafka.consumer:type=consumer-fetch-manager-metrics,client-id=*", "fetch-rate"
        ),
    }


def _matches(lab: LabState, query: str) -> int:
    """How many series a query of Prometheus matches."""
    port = lab.parts["prometheus"]["port"]
    answer = http.ask(f"http://127.0.0.1:{port}/api/v1/query?query={quote(query)}", within=5)
    return len(answer["data"]["result"])


def _measured(agent: str, bean: str, attribute: str) -> bool:
    """Whether an agent gives a number above 0 of all that match a name."""
    body = {"type": "read", "mbean": bean, "attribute": attribute}
    answer = http.ask(f"{agent}/", method="POST", body=json.dumps(body).encode(), within=10)
    values = [one[attribute] for one in answer.get("value", {}).values()] if answer.get("status") == 200 else []
    return bool(values) and all(isinstance(value, float) and value > 0 for value in values)


# What a busy machine does to a healthy lab of its own accord: these say how quick it is.
_HOW_QUICK: Final = frozenset(
    {
        "produce-is-quick",
        "followers-fetch-quickly",
        "segments-are-flushed-quickly",
        "consumers-fetch-in-good-time",
        "in-sync-sets-are-stable",
        "the-controller-takes-heartbeats-in-time",
        "request-handlers-have-time",
        "network-threads-have-time",
    }
)
_QUICK_OR_NOT: Final = dict.fromkeys(_HOW_QUICK, ("pass", "fail", "not_applicable"))
_RIGHT: Final = Expected(undetermined=_QUICK_OR_NOT)
_WELL: Final = {"observability": _RIGHT}
_LOST: Final = Expected(
    fails={
        "replicas-are-in-sync-say-leaders": "",
        "no-broker-is-fenced-says-the-controller": "",
        "every-target-is-scraped": "",
    },
    unknown={"every-broker-shows-that-it-runs": "'broker': 2"},
    undetermined=_HOW_QUICK,
    others=_ANY,
)
_REFUSING: Final = Expected(fails={"partitions-take-writes-say-leaders": ""}, undetermined=_HOW_QUICK, others=_ANY)


def _proved(fault: str, broken: Expected) -> Scene:
    return proved_also(fault_scene(fault, _WELL, {"observability": broken}, module=__name__), _answering)


def _answering(state: str, lab: LabState) -> Mapping[str, bool]:
    """Every agent answers soon, but for those of a broker that is stopped, which Prometheus has found out too."""
    lost = state == "during" and "stop-broker" in lab.faults
    there = {number: url for number, url in _agents(lab).items() if not (lost and number == "2")}
    claims = {f"the agent of {number} answers soon": _answers(url) for number, url in there.items()}
    seen = {f"Prometheus scrapes broker 2: {not lost}": _scraped(lab, "2") == (not lost)}
    if lost:
        state_of = lab.parts["jmx"]
        seen["the Jolokia agent of broker 2 refuses"] = refuses(state_of["jolokia"]["2"])
        seen["the exporter of broker 2 refuses"] = refuses(state_of["exporter"]["2"])
    return {**claims, **seen}


def _agents(lab: LabState) -> dict[str, str]:
    """The Jolokia agents, by broker or application."""
    return jmx.agent_addresses(lab.parts["jmx"]) | jmx.agent_addresses(lab.parts["clients"])


def _answers(url: str) -> bool:
    """Whether an agent tells a value in a second: the product gives it three, and a machine may be too busy."""
    body = json.dumps({"type": "read", "mbean": "java.lang:type=Runtime", "attribute": "Uptime"}).encode()
    begun = time.monotonic()
    answer = http.ask(f"{url}/", method="POST", body=body, within=10)
    return bool(answer["status"] == 200 and time.monotonic() - begun < 1)


def _scraped(lab: LabState, number: str) -> bool:
    """Whether Prometheus reached the exporter of a broker when it last tried."""
    target = f"127.0.0.1:{lab.parts['jmx']['exporter'][number]}"
    return _matches(lab, f'up{{instance="{target}"}} == 1') == 1


SCENES = [_proved("stop-broker", _LOST), _proved("shrink-isr", _REFUSING)]

_HUNG: Final = Expected(
    unknown={
        "partitions-take-writes-say-leaders": ("'broker': 3", "did not answer in its time"),
        "descriptors-are-left": ("'broker': 3", "did not answer in its time"),
    },
    undetermined=_HOW_QUICK,
    others=_ANY,
)


@scene(
    {"through-jolokia": {"observability": _HUNG}, "through-pages": {"observability": _HUNG}}, faults=("freeze-broker",)
)
def a_broker_hangs(lab: LabState, folder: Path) -> Iterator[State]:
    """A JVM that hangs takes connections and answers none: its own metrics are missing, by each way."""
    del folder
    name, home = lab.name, Path(lab.folder).parent

    def claims() -> Mapping[str, bool]:
        return in_force(known(name, home), "freeze-broker")

    offered = clients.connections(lab, lab.parts["clients"])
    labs.break_(name, "freeze-broker", home=home)
    try:
        for way, kind in (("jolokia", "jolokia"), ("pages", "prometheus")):
            inventory = inventory_of(lab)
            environment = inventory["environments"][name]
            for other in ("jolokia", "prometheus"):
                environment.pop(other)
            environment[kind] = offered[kind]
            yield State(f"through-{way}", inventory, claims)
    finally:
        labs.heal(name, home=home)


@scene(
    {
        "before": _WELL,
        "during": {
            "observability": Expected(
                fails={"no-broker-logs-at-debug": ""},
                only={"no-broker-logs-at-debug": {"broker": frozenset({1}), "logger": frozenset({_LOGGER})}},
                undetermined=_QUICK_OR_NOT,
            )
        },
    }
)
def a_logger_at_debug(lab: LabState, folder: Path) -> Iterator[State]:
    """Somebody looked for something on broker 1, and left it at that."""
    del folder

    def claims() -> Mapping[str, bool]:
        return {f"{_LOGGER} of broker 1 is at DEBUG": _level(lab) == "DEBUG"}

    def both(claims: Claims) -> Claims:
        return lambda: {**claims(), **_answering("", lab)}

    yield State("before", inventory_of(lab), both(none_of(claims)))
    _set_level(lab, "DEBUG")
    try:
        yield State("during", inventory_of(lab), both(claims))
    finally:
        _set_level(lab, None)


def _set_level(lab: LabState, value: str | None) -> None:
    from kafka.admin import AlterConfigOp, ConfigResource

    kind = AlterConfigOp.SET if value else AlterConfigOp.DELETE
    with kafka_python(lab) as admin:
        admin.alter_configs([ConfigResource("broker_logger", "1", {_LOGGER: (kind, value)})], raise_on_unknown=False)


def _level(lab: LabState) -> str | None:
    from kafka.admin import ConfigResource

    with kafka_python(lab) as admin:
        described = admin.describe_configs([ConfigResource("broker_logger", "1", [_LOGGER])])
    value: str | None = described["broker_logger"]["1"][_LOGGER]["value"]
    return value


_WAITING: Final = Expected(
    passes=frozenset({"the-distance-costs-writers-little"}),
    judged={"the-distance-costs-writers-little": 3},
    others=_ANY,
)


@scene({"well": {"topologies": _WAITING}})
def writers_wait_for_followers(lab: LabState, folder: Path) -> Iterator[State]:
    """What writers wait for followers is measured, where latency is what matters most."""
    del folder
    inventory = inventory_of(lab)
    environment = inventory["environments"][lab.name]
    environment["objectives"] = ["latency", "availability", "durability", "throughput"]
    environment["params"] = {"topologies/the-distance-costs-writers-little": {"ms": 60000.0}}  # no machine is as slow
    yield State("well", inventory, lambda: {**_gives_metrics(lab), **_answering("", lab)})
