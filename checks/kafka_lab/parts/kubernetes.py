"""The part `kubernetes`: a real control plane in which simulated pods stand for the lab's brokers."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from kafka_lab.kubernetes import binaries
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.control_plane import Plane
from kafka_lab.kubernetes.control_plane import start as start_plane
from kafka_lab.kubernetes.control_plane import stop as stop_plane
from kafka_lab.kubernetes.objects import NAMESPACE, fill
from kafka_lab.state import LabState
from runbook.plugins.extras import install

HELP: Final = "a real Kubernetes control plane; the kubelets are simulated, pods stand for the lab's brokers"


def lacking() -> str:
    """Say why it can't run on this machine and what would help; empty if it can."""
    for library, package in (("kubernetes", "kubernetes"), ("cryptography", "lab")):
        if importlib.util.find_spec(library) is None:
            return f"the package {library} is missing: {install(package)}"
    return binaries.lacking()


def start(lab: LabState, progress: Callable[[str], None]) -> dict[str, Any]:
    """Start the control plane and fill it; gives what is needed to stop it and to reach it.

    Raises:
        LabError: it could not be built, started or filled.
    """

    def note(so_far: Plane) -> None:
        lab.parts["kubernetes"] = {"plane": msgspec.to_builtins(so_far), "kubeconfig": ""}
        lab.save()

    plane = start_plane(Path(lab.folder, "kubernetes"), binaries.programs(progress), progress, note)
    admin = Admin(plane.file("admin.kubeconfig"))
    try:
        progress("Filling Kubernetes with pods that stand for the brokers")
        kubeconfig = fill(plane, admin, [broker.rack for broker in lab.brokers], Path(lab.folder, "data"))
    except BaseException:
        stop_plane(plane)
        raise
    finally:
        admin.close()
    return {"plane": msgspec.to_builtins(plane), "kubeconfig": str(kubeconfig)}


def stop(lab: LabState, state: dict[str, Any]) -> None:
    """End the control plane and remove its data."""
    del lab
    stop_plane(msgspec.convert(state["plane"], Plane))


def connections(lab: LabState, state: dict[str, Any]) -> dict[str, Any]:
    """Give the inventory's entry, with the identity that may only read."""
    del lab
    selectors = {"brokers": "app=kafka", "controllers": "app=kafka"}
    return {"kubernetes": {"kubeconfig": state["kubeconfig"], "namespace": NAMESPACE, **selectors}}
