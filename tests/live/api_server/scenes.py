"""A real API server with the objects of a Kafka cluster and nothing that moves them: it shows rights and logins.

It is built in less time than a whole control plane. What is seen of faults needs one, and is kept: see `kubernetes`.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafka_lab.kubernetes import binaries, control_plane
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.objects import NAMESPACE, add_node, let_read, manifest
from support.evidence.scene import Scene

SCENES: list[Scene] = []
_CLASS = {"storageClassName": "local-nvme"}
_ZONES = ("az-a", "az-b", "az-c")


@dataclass(frozen=True)
class Server:
    """Such a server: its processes, its owner, and the kubeconfig of the shipped Role."""

    plane: Plane
    admin: Admin
    reader: Path


def systems() -> dict[str, str]:
    """What it runs."""
    return {"kubernetes": binaries.VERSION}


def lacking() -> str:
    """It is built from Go modules in minutes: only where that is allowed, or has been done."""
    if binaries.built(binaries.API_SERVER) or os.environ.get(binaries.BUILD) in {"server", "1"}:
        return binaries.lacking(binaries.API_SERVER)
    return f"the API server is not built; {binaries.BUILD}=server builds it, which takes minutes"


@contextmanager
def lab(folder: Path) -> Iterator[Server]:
    """Start it and fill it."""
    programs = binaries.programs(lambda _: None, binaries.API_SERVER)
    plane = control_plane.start(folder / "plane", programs, lambda _: None, wanted=binaries.API_SERVER)
    try:
        with closing(Admin(plane.file("admin.kubeconfig"))) as admin:
            yield Server(plane, admin, _filled(plane, admin))
    finally:
        control_plane.stop(plane)


def _filled(plane: Plane, admin: Admin) -> Path:
    """Make by hand what controllers and the scheduler would make of the manifest."""
    things = manifest("kafka.yaml", data="/var/lib/kafka")
    for thing in things:
        admin.create(thing)
    [template] = [thing["spec"]["template"] for thing in things if thing["kind"] == "StatefulSet"]
    for number, zone in enumerate(_ZONES, 1):
        add_node(admin, f"kafka-{number}-{zone}", zone, "kafka")
        add_node(admin, f"control-plane-{zone}", zone, "control-plane")
        for thing in (_volume(number), _claim(number), _pod(number, zone, template)):
            admin.create(thing)
    return let_read(plane, admin)


def _pod(number: int, zone: str, template: dict[str, Any]) -> dict[str, Any]:
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": f"data-kafka-{number}"}}
    more = {"nodeName": f"kafka-{number}-{zone}", "volumes": [*template["spec"]["volumes"], claim]}
    metadata = {"name": f"kafka-{number}", "namespace": NAMESPACE, **template["metadata"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"] | more}


def _claim(number: int) -> dict[str, Any]:
    wanted = {"requests": {"storage": "100Gi"}}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": f"data-kafka-{number}", "namespace": NAMESPACE},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": wanted, "volumeName": f"nvme-{number}", **_CLASS},
    }


def _volume(number: int) -> dict[str, Any]:
    claim = {"kind": "PersistentVolumeClaim", "namespace": NAMESPACE, "name": f"data-kafka-{number}"}
    room = {"capacity": {"storage": "100Gi"}, "accessModes": ["ReadWriteOnce"]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": f"nvme-{number}"},
        "spec": {**room, "hostPath": {"path": "/mnt/nvme0"}, "claimRef": claim, **_CLASS},
    }
