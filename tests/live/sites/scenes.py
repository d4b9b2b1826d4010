"""A cluster that stands by, and MirrorMaker 2 between the two."""

from contextlib import AbstractContextManager
from pathlib import Path

from kafka_lab import LabState, parts
from kafka_lab.jars import KAFKA_VERSION
from live.sites.every_check import SCENES
from live.sites.link_faults import FAULTS
from live.sites.moving import SCENES as MOVES
from support.evidence.labs import kafka_lab

__all__ = ["FAULTS", "MOVES", "SCENES", "lab", "lacking", "systems"]


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "mirrormaker": KAFKA_VERSION}


def lacking() -> str:
    """Some scenes need a registry at each site."""
    return parts.lacking("registry")


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Two clusters with the link between them."""
    return kafka_lab("sites", folder, ["dr"])
