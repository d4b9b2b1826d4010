"""A Prometheus server that scrapes the JMX exporters."""

import shutil
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab import http, processes
from kafka_lab.parts import Progress, jmx
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

HELP: Final = "a Prometheus server that scrapes the brokers"
NEEDS: Final = ("jmx",)

_READY_WITHIN = 180.0  # a machine that is busy takes its time
_INTERVAL = 10  # seconds; a page is made anew for each scrape, which takes a busy machine its time
_FRESH = 3 * _INTERVAL


def lacking() -> str:
    """Why there can be no Prometheus on this machine."""
    if shutil.which("prometheus"):
        return ""
    return "there is no prometheus on the PATH: apt-get install --no-install-recommends prometheus"


def start(lab: LabState, progress: Progress) -> dict[str, Any]:
    """Start the server, and return when it has scraped a broker.

    Raises:
        LabError: it did not come up, or did not scrape.
    """
    progress("Starting Prometheus")
    folder = Path(lab.folder, "prometheus")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    configuration = folder / "prometheus.yml"
    configuration.write_text(_configuration(lab), encoding="utf-8")
    [port] = free_ports(1)
    command = [
        "prometheus",
        f"--config.file={configuration}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    log = Path(lab.folder, "logs", "prometheus.log")
    process = processes.start(command, output=log, folder=folder)
    state = {"port": port, "process": msgspec.to_builtins(process)}
    lab.parts["prometheus"] = state
    lab.save()
    # One is enough: a broker that is too busy for a scrape shows with a later one.
    wait_until(lambda: _scraped(port) > 0, f"Prometheus to scrape a broker; its log is {log}", within=_READY_WITHIN)
    return state


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """Stop the server and remove its data."""
    processes.terminate(msgspec.convert(state["process"], Process), patience=0)
    shutil.rmtree(Path(lab.folder, "prometheus"), ignore_errors=True)


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """The server, instead of the exporters' pages."""
    settings = {
        "url": f"http://127.0.0.1:{state['port']}",
        "selector": {"job": "kafka"},
        "brokers": {_address(url): int(broker) for broker, url in jmx.pages(lab.parts["jmx"]).items()},
        "max_age": _FRESH,
        "application_selector": {"job": "clients"} if "clients" in lab.parts else {},
        "application_label": "application",
    }
    return {"prometheus": settings}


def _configuration(lab: LabState) -> str:
    import yaml

    every = {"scrape_interval": f"{_INTERVAL}s", "scrape_timeout": f"{_INTERVAL}s"}
    login = jmx.login_settings(lab)
    guard = {"basic_auth": {"username": login["username"], "password_file": login["password"]["file"]}} if login else {}
    jobs: list[dict[str, Any]] = [
        {"job_name": "kafka", **guard, "static_configs": [{"targets": _targets(lab.parts["jmx"])}]}
    ]
    if "clients" in lab.parts:
        each = [
            {"targets": [target], "labels": {"application": name}}
            for name, target in zip(lab.parts["clients"]["exporter"], _targets(lab.parts["clients"]), strict=True)
        ]
        jobs.append({"job_name": "clients", **guard, "static_configs": each})
    return yaml.safe_dump({"global": every, "scrape_configs": jobs}, sort_keys=False)


def _targets(state: dict[str, Any]) -> list[str]:
    return [_address(url) for url in jmx.pages(state).values()]


def _address(url: str) -> str:
    return url.removeprefix("http://").removesuffix("/metrics")


def _scraped(port: int) -> int:
    """How many brokers answered the last scrape.

    Raises:
        LabError: the server does not answer yet.
    """
    answer = http.ask(f"http://127.0.0.1:{port}/api/v1/query?query=up%7Bjob%3D%22kafka%22%7D%3D%3D1", within=2)
    return len(answer["data"]["result"]) if answer.get("status") == "success" else 0
