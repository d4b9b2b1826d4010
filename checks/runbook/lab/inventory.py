"""The inventory of the running labs, which the other commands find by themselves."""

from pathlib import Path
from typing import Any

from runbook.lab import parts
from runbook.lab.places import lab_home, write_whole
from runbook.lab.state import LabState, all_states

_ABSENT = {
    "kubernetes": "the lab starts no Kubernetes",
    "ssh": "the lab's brokers are processes of this machine",
    "jolokia": "this lab's brokers run without a Jolokia agent",
    "prometheus": "the lab starts no Prometheus",
    "schema_registry": "the lab starts no schema registry",
    "connect": "the lab starts no Kafka Connect",
    "zookeeper": "KRaft cluster",
    "tls": "the lab's listeners are plain text on the loopback interface",
    "files": "the lab has no client configuration files",
    "records": "nobody signs anything off for a lab, and drills on it prove nothing of another cluster",
}


def environment(lab: LabState) -> dict[str, Any]:
    """Describe a lab as an environment of the inventory."""
    offered = parts.connections(lab)
    absent = _ABSENT | {
        name: f"the lab runs without it: {why}" for name, why in lab.left_out.items() if name in _ABSENT
    }
    return {
        "kafka": {"bootstrap.servers": lab.bootstrap},
        **offered,
        "cluster_id": lab.cluster_id,
        "labels": {"tier": "lab"},
        "objectives": ["durability", "availability", "latency", "throughput"],
        "absent": {kind: why for kind, why in absent.items() if kind not in offered},
        **parts.environment(lab),
    }


def inventory_file(home: Path | None = None) -> Path:
    """Name the inventory of all running labs."""
    return (home or lab_home()).absolute() / "environments.yaml"


def write_inventory(home: Path | None = None) -> Path | None:
    """Bring the inventory up to date: one environment for each running lab; no file where none runs.

    A lab keeps a copy of its own environment in its folder, so that it can be used alone.
    """
    import yaml

    running = [lab for lab in all_states(home) if lab.ready and lab.running]
    file = inventory_file(home)
    for lab in running:
        alone = {"environments": {lab.name: environment(lab)}}
        write_whole(Path(lab.folder, file.name), yaml.safe_dump(alone, sort_keys=False))
    if not running:
        file.unlink(missing_ok=True)
        return None
    together = {"environments": {lab.name: environment(lab) for lab in running}}
    write_whole(file, "# Written by the lab; it changes with each lab that starts or stops.\n" + _dump(together))
    return file


def running_inventory(home: Path | None = None) -> Path | None:
    """Give the inventory of the running labs; None where none runs.

    What the file holds is made true first: a lab may have ended without being stopped, for instance with the machine.
    """
    running = {lab.name for lab in all_states(home) if lab.ready and lab.running}
    file = inventory_file(home)
    if running and file.exists() and running == _listed(file):
        return file
    return write_inventory(home)


def _listed(file: Path) -> set[str]:
    import yaml

    return set(yaml.safe_load(file.read_text(encoding="utf-8"))["environments"])


def _dump(content: Any) -> str:
    import yaml

    return yaml.safe_dump(content, sort_keys=False)
