"""Three brokers that show metrics, and no clients: for the paths through Jolokia, exporters' pages and Prometheus."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import quote

from kafka_lab import LabState, http
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import jmx, prometheus
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.fault import inventory_of
from support.evidence.labs import kafka_lab
from support.evidence.scene import State, scene

_ANY = tuple(Outcome)


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "jolokia": jmx.JOLOKIA, "jmx exporter": jmx.EXPORTER}


def lacking() -> str:
    """Prometheus is needed."""
    return prometheus.lacking()


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers; Prometheus has scraped one."""
    return kafka_lab("scraped", folder, ["jmx", "prometheus"])


_ITS_OWN = Expected(passes=frozenset({"each-broker-has-its-own-target", "every-target-is-scraped"}), others=_ANY)
_COPIED = Expected(
    fails={"each-broker-has-its-own-target": ("localhost:", "no target shows its metrics")},
    passes=frozenset({"every-target-is-scraped"}),
    only={"each-broker-has-its-own-target": {"broker": frozenset({1, 3})}},
    others=_ANY,
)


@scene({"before": {"observability": _ITS_OWN}, "copied": {"observability": _COPIED}})
def copied_target(lab: LabState, folder: Path) -> Iterator[State]:
    """The target of broker 3 has the port of broker 1, by another name of its host."""
    del folder
    exporter = lab.parts["jmx"]["exporter"]
    right, wrong = f"127.0.0.1:{exporter['3']}", f"localhost:{exporter['1']}"

    def claims(up: set[str]) -> Mapping[str, bool]:
        return {"Prometheus scrapes these and no others": _scraped(lab) == up}

    well = {f"127.0.0.1:{port}" for port in exporter.values()}
    yield State("before", inventory_of(lab), lambda: claims(well))
    configuration = Path(lab.folder, "prometheus", "prometheus.yml")
    text = configuration.read_text("utf-8")
    configuration.write_text(text.replace(right, wrong), "utf-8")
    os.kill(lab.parts["prometheus"]["process"]["pid"], signal.SIGHUP)
    yield State("copied", inventory_of(lab), lambda: claims(well - {right} | {wrong}))


def _scraped(lab: LabState) -> set[str]:
    """The targets that were scraped of late, as long ago as the inventory lets samples be."""
    url = (
        f"http://127.0.0.1:{lab.parts['prometheus']['port']}/api/v1/query?query={quote('last_over_time(up[30s]) == 1')}"
    )
    return {series["metric"]["instance"] for series in http.ask(url, within=5)["data"]["result"]}
