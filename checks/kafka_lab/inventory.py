"""The inventory of the running labs, which the other commands find by themselves."""

import datetime as dt
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kafka_lab import parts
from kafka_lab.places import lab_home, write_whole
from kafka_lab.state import LabState, all_states

_ABSENT = {
    "kubernetes": "the lab starts no Kubernetes",
    "prometheus": "the lab starts no Prometheus",
    "schema_registry": "the lab starts no schema registry",
    "connect": "the lab starts no Kafka Connect",
    "zookeeper": "KRaft cluster",
    "tls": "the lab's listeners are plain text on the loopback interface",
    "records": "nobody signs anything off for a lab, and drills on it prove nothing of another cluster",
}

_UNOBSERVED = {
    "ssh": "the lab's brokers are processes of this machine",
    "jolokia": "this lab's brokers run without a Jolokia agent",
    "files": "the lab keeps no configuration files of clients",
}
_OWNER = "runbook lab"
_SHOWN_FOR = dt.timedelta(days=365)  # no lab lives so long: what it did not start stays unobserved while it runs
_NEARLY_FULL = 0.25  # of a disk free: the check wants 15 %, and other work on this machine goes on


def environment(lab: LabState, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Describe a lab's cluster as an environment of the inventory, with more connections than its parts offer."""
    offered = parts.connections(lab) | dict(more or {})
    left_out = {name: f"the lab runs without it: {why}" for name, why in lab.left_out.items()}
    absent, unobserved = (
        {name: left_out.get(name, why) for name, why in said.items() if name not in offered}
        for said in (_ABSENT, _UNOBSERVED)
    )
    until = str((dt.datetime.now(dt.UTC) + _SHOWN_FOR).date())
    of_parts = parts.environment(lab)
    params = _of_the_disk(lab) | of_parts.get("params", {})
    return {
        "kafka": {"bootstrap.servers": lab.bootstrap},
        **offered,
        "cluster_id": lab.cluster_id,
        "labels": {"tier": "lab"},
        "owner": "platform",  # invented, so that the scorecard of a demo shows whom to ask
        "owners": {"audit": "payments", "invoices": "payments", "sessions": "web"},
        "objectives": ["durability", "availability", "latency", "throughput"],
        "absent": absent,
        "unobserved": {kind: {"because": why, "owner": _OWNER, "until": until} for kind, why in unobserved.items()},
        **of_parts,
        **({"params": params} if params else {}),
    }


def _of_the_disk(lab: LabState) -> dict[str, Any]:
    """Parameters where the disk is nearly full: its user knows how full it is, and a lab needs some MB of it."""
    disk = shutil.disk_usage(lab.folder)
    return {"ha/log-directories-have-room": {"free": 1}} if disk.free < disk.total * _NEARLY_FULL else {}


def inventory_file(home: Path | None = None) -> Path:
    """Name the inventory of all running labs."""
    return (home or lab_home()).absolute() / "environments.yaml"


def called(lab: LabState, home: Path | None = None) -> str:
    """The options by which `runbook check` finds a lab: its name in the inventory in force, else that of all labs."""
    from runbook.model.errors import RunbookError
    from runbook.run.sources.inventories import load_inventory

    try:
        targets = load_inventory(None).targets
    except RunbookError:
        targets = {}
    for name, target in targets.items():
        servers = target.connections.get("kafka", {}).get("bootstrap.servers")
        if (lab.cluster_id and target.environment.cluster_id == lab.cluster_id) or servers == lab.bootstrap:
            return f"--env {shlex.quote(name)}"
    return f"--inventory {shlex.quote(str(inventory_file(home)))} --env {lab.name}"


def write_inventory(home: Path | None = None) -> Path | None:
    """Bring the inventory up to date: an environment for each cluster of a running lab; no file where none runs.

    A lab keeps a copy of its own environment in its folder, so that it can be used alone.
    """
    running = [lab for lab in all_states(home) if lab.ready and lab.running]
    file = inventory_file(home)
    for lab in running:
        write_whole(Path(lab.folder, file.name), _yaml(_inventory([lab])))
    if not running:
        file.unlink(missing_ok=True)
        return None
    said = "# Written by the lab; it changes with each lab that starts or stops.\n"
    write_whole(file, said + _yaml(_inventory(running)))
    return file


def _yaml(inventory: Mapping[str, Any]) -> str:
    """An inventory as text, without the anchors by which YAML writes what two places share: no inventory has any."""
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            del data
            return True

    return yaml.dump(inventory, Dumper=Plain, sort_keys=False)


def running_inventory(home: Path | None = None) -> Path | None:
    """Give the inventory of the running labs; None where none runs.

    What the file holds is made true first: a lab may have ended without being stopped, for instance with the machine.
    """
    running = {name for lab in all_states(home) if lab.ready and lab.running for name in _environments(lab)}
    file = inventory_file(home)
    if running and file.exists() and running == _listed(file):
        return file
    return write_inventory(home)


def _inventory(running: Iterable[LabState]) -> dict[str, Any]:
    """The environments of labs and the links between them; of a single lab, its own cluster is the one meant."""
    names = [lab.name for lab in running]
    environments = {name: found for lab in running for name, found in _environments(lab).items()}
    mirrors = [link for lab in running for link in parts.links(lab)]
    default = {"default": names[0]} if len(names) == 1 < len(environments) else {}
    return {**default, "environments": environments} | ({"mirrors": mirrors} if mirrors else {})


def _environments(lab: LabState) -> dict[str, Any]:
    return {lab.name: environment(lab), **parts.environments(lab)}


def _listed(file: Path) -> set[str]:
    import yaml

    return set(yaml.safe_load(file.read_text(encoding="utf-8"))["environments"])
