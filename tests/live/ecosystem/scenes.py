"""A cluster with a Schema Registry of two instances and two Connect workers, with logins, whose JVMs show metrics."""

from contextlib import AbstractContextManager
from pathlib import Path

from kafka_lab import LabState, parts, registry
from kafka_lab.jars import KAFKA_VERSION
from live.ecosystem import both_ways_scenes, connect_scenes, registry_scenes
from support.ecosystem.lab import PARTS, started


def systems() -> dict[str, str]:
    """What such a lab runs; Connect is of Kafka's release."""
    return {"kafka": KAFKA_VERSION, "apicurio-registry": registry.VERSION}


def lacking() -> str:
    """Why the registry or the certificates can't be had here."""
    return "; ".join(filter(None, map(parts.lacking, PARTS)))


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Three brokers with all of it."""
    return started(folder)


SCENES = [*both_ways_scenes.SCENES, *registry_scenes.SCENES, *connect_scenes.SCENES]
