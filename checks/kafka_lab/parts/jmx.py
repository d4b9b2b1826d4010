"""JMX over HTTP: each broker gets a Jolokia agent, which may only read, and a JMX exporter for Prometheus."""

import shutil
from pathlib import Path
from typing import Any, Final

from kafka_lab import security
from kafka_lab.jars import Jar, Wanted, fetch_jars
from kafka_lab.parts import Progress
from kafka_lab.ports import free_ports
from kafka_lab.state import LabBroker, LabState
from runbook.folders import cache_folder
from runbook.formats.metrics.meters import IDENTITY
from runbook.plugins.catalog import catalog

PART: Final = "jmx"
HELP: Final = "a Jolokia agent and a JMX exporter in each broker"

JOLOKIA: Final = "2.2.9"
EXPORTER: Final = "1.0.1"
"""Versions of the two agents."""
_AGENTS = Wanted(
    "the JMX agents",
    f"jmx-{JOLOKIA}-{EXPORTER}",
    "4 MB",
    (
        Jar("org.jolokia", "jolokia-agent-jvm", JOLOKIA, transitive=False, classifier="javaagent"),
        Jar("io.prometheus.jmx", "jmx_prometheus_javaagent", EXPORTER, transitive=False),
    ),
)
_REQUESTS = ("Produce", "FetchConsumer", "FetchFollower", "Metadata")
"""The kinds of request that the exporters show: all ninety of them make 7,000 lines, and a minute of a busy machine."""

POLICY: Final = Path(__file__).with_name("jolokia-access.xml")
"""The access policy of the agents: they read, list and tell their version, and do nothing else."""


def prepare(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Fetch the agents and choose their ports.

    Raises:
        LabError: they could not be fetched.
    """
    # All of it lies in the lab's folder, the only one that brokers in hosts of their own see as well.
    jars = Path(lab.folder, "config", "agents")
    shutil.copytree(fetch_agents(progress), jars, dirs_exist_ok=True)
    shutil.copy(POLICY, jars)
    ports = free_ports(2 * len(lab.brokers))
    rules = Path(lab.folder, "config", "jmx-exporter.yaml")
    rules.touch(0o600)
    rules.write_text(_rules(_login(lab)), encoding="utf-8")
    return {
        "jars": str(jars.absolute()),
        "rules": str(rules),
        "jolokia": {str(broker.number): ports[2 * place] for place, broker in enumerate(lab.brokers)},
        "exporter": {str(broker.number): ports[2 * place + 1] for place, broker in enumerate(lab.brokers)},
    }


def fetch_agents(progress: Progress) -> Path:
    """Give the folder with the agents; fetches them once.

    Raises:
        LabError: they could not be fetched.
    """
    return fetch_jars(_AGENTS, cache_folder(), progress)


def _login(lab: LabState) -> tuple[str, str] | None:
    """User and password of who may see metrics; anybody may where the lab knows no logins."""
    if security.PART not in lab.parts:
        return None
    return security.READER, security.password(lab, security.READER)


def _rules(login: tuple[str, str] | None) -> str:
    """No rules: MBeans are shown under names of the exporter's own. Only those that are asked for, as it is slow."""
    import yaml

    probes = catalog("probes")
    groups = [probe.GROUP for probe in map(probes.load, probes.names()) if hasattr(probe, "GROUP")]
    asked = (IDENTITY, *dict.fromkeys(metric for group in groups for metric in group.metrics.values()))
    beans = {
        metric.bean.replace("request=*", f"request={kind}") for metric in asked if metric.bean for kind in _REQUESTS
    }
    asks: dict[str, Any] = {"includeObjectNames": sorted(beans)}
    if login is not None:
        user, password = login
        asks["httpServer"] = {"authentication": {"basic": {"username": user, "password": password}}}
    return yaml.safe_dump(asks)


def jvm_options(lab: LabState, broker: LabBroker) -> list[str]:
    """The two agents, each on a port of its own."""
    state, number = lab.parts["jmx"], str(broker.number)
    return agents(lab, state["jolokia"][number], state["exporter"][number])


def agents(lab: LabState, jolokia: int, exporter: int) -> list[str]:
    """The options that load both agents into a JVM, on these ports of the loopback interface."""
    state = lab.parts["jmx"]
    config = _login_file(lab, login) if (login := _login(lab)) else None
    return [
        jolokia_agent(state["jars"], jolokia, config, Path(state["jars"], POLICY.name)),
        f"-javaagent:{state['jars']}/jmx_prometheus_javaagent-{EXPORTER}.jar=127.0.0.1:{exporter}:{state['rules']}",
    ]


def jolokia_agent(jars: str | Path, port: int, config: Path | None = None, policy: Path = POLICY) -> str:
    """The option that loads an agent of these jars, which only reads; the login is in the file `config`, if any."""
    settings = {"host": "127.0.0.1", "port": port, "policyLocation": policy.as_uri(), "discoveryEnabled": "false"}
    if config is not None:
        settings["config"] = str(config)
    options = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"-javaagent:{jars}/jolokia-agent-jvm-{JOLOKIA}-javaagent.jar={options}"


def _login_file(lab: LabState, login: tuple[str, str]) -> Path:
    """What the Jolokia agents read the login from: it must not stand in a command line."""
    file = security.folder(lab) / "jolokia.properties"
    file.touch(0o600)
    file.write_text("user={}\npassword={}\n".format(*login), encoding="ascii")
    return file


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """They came up with the brokers."""
    del progress
    return lab.parts["jmx"]


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Both ways to the same metrics."""
    return {
        "jolokia": {"agents": agent_addresses(state), "applications": {}, **login_settings(lab)},
        "prometheus": {"scrape": pages(state), "applications": {}, **login_settings(lab)},
    }


def login_settings(lab: LabState) -> dict[str, Any]:
    """How the inventory logs in to see metrics."""
    if security.PART not in lab.parts:
        return {}
    password = {"file": str(security.password_file(lab, security.READER))}
    return {"username": security.READER, "password": password}


def agent_addresses(state: dict[str, Any]) -> dict[str, str]:
    """Where the Jolokia agents are, by node id or application."""
    return {name: f"http://127.0.0.1:{port}/jolokia" for name, port in state["jolokia"].items()}


def pages(state: dict[str, Any]) -> dict[str, str]:
    """The exporters' pages, by node id or application."""
    return {name: f"http://127.0.0.1:{port}/metrics" for name, port in state["exporter"].items()}
