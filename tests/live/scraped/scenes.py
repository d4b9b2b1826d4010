"""Three brokers that show metrics, and no clients: for the paths through Jolokia, exporters' pages and Prometheus."""

from contextlib import AbstractContextManager
from pathlib import Path

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import jmx, prometheus
from support.evidence.labs import kafka_lab
from support.evidence.scene import Scene

SCENES: list[Scene] = []


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "jolokia": jmx.JOLOKIA, "jmx exporter": jmx.EXPORTER}


def lacking() -> str:
    """Prometheus is needed."""
    return prometheus.lacking()


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers; Prometheus has scraped one."""
    return kafka_lab("scraped", folder, ["jmx", "prometheus"])
