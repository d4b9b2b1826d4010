"""A real control plane with a platform of Strimzi that is well. There is no operator: what it would make is made.

No scene of it is kept: `test_faults.py` tries faults on it, and `tests/records/manifests/live.yaml` says what they are.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from kafka_lab.kubernetes import binaries, control_plane
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.objects import let_read
from live.kubernetes import scenes as kubernetes
from support import strimzi_server
from support.evidence.scene import Scene

SCENES: list[Scene] = []
systems = kubernetes.systems
lacking = kubernetes.lacking


@dataclass(frozen=True)
class Platform:
    """Such a platform: its owner, the kubeconfig of the shipped Role, and a folder for what is written on the way."""

    admin: Admin
    reader: Path
    folder: Path


@contextmanager
def lab(folder: Path) -> Iterator[Platform]:
    """Start the control plane, and make the platform on it."""
    plane = control_plane.start(folder / "plane", binaries.programs(lambda _: None), lambda _: None)
    try:
        with closing(Admin(plane.file("admin.kubeconfig"))) as admin:
            strimzi_server.make(admin, folder)
            yield Platform(admin, let_read(plane, admin), folder)
    finally:
        control_plane.stop(plane)
