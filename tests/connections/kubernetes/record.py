"""Record the lab's control plane for tests: `record.py` starts one, and writes `recorded/NAME.json` for each state.

`record.py FOLDER RACKS DATA` writes elsewhere, for brokers in other racks (`az-a,az-b,az-c`) with their data elsewhere.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from kafka_lab.kubernetes import binaries, control_plane
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.faults import FAULTS
from kafka_lab.kubernetes.objects import add_strimzi, fill
from runbook.connections.kubernetes import connect
from runbook.model.errors import CannotLook
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog

HERE = Path(__file__).parent
GIVEN = dict(enumerate(sys.argv))
FOLDER = Path(GIVEN.get(1, str(HERE / "recorded")))
RACKS = tuple(GIVEN.get(2, "rack-a,rack-b,rack-c").split(","))
DATA = Path(GIVEN.get(3, "/var/lib/kafka"))
KINDS = ("Kafka", "KafkaNodePool", "KafkaTopic")


def record(kubeconfig: Path, name: str) -> None:
    """Put every probe to the cluster and keep each answer, without the bookkeeping of who set which field."""
    kubernetes = connect(
        {"kubeconfig": str(kubeconfig), "brokers": "app=kafka", "controllers": "app=kafka"}, Deadline(60)
    )
    answers: dict[str, Any] = {}
    request = kubernetes._api._request

    def note(path: str, query: dict[str, Any]) -> tuple[int, bytes]:
        status, body = request(path, query)
        if status == 200:
            answers[path] = plain(json.loads(body))
        return status, body

    kubernetes._api._request = note  # type: ignore[method-assign]
    for probe in catalog("probes").names():
        module = catalog("probes").load(probe)
        if module.PROBE.connections != ("kubernetes",):
            continue
        for parameters in [{"kind": kind} for kind in KINDS] if probe == "kubernetes_custom_resource" else [{}]:
            try:
                module.observe(kubernetes, **parameters)
            except CannotLook as error:
                sys.stderr.write(f"  {probe}: {error}\n")
    kubernetes._api.get("/api/v1/namespaces/{namespace}", namespace="kafka")
    kubernetes.close()
    FOLDER.mkdir(parents=True, exist_ok=True)
    FOLDER.joinpath(f"{name}.json").write_text(json.dumps(answers, sort_keys=True, indent=0) + "\n")
    sys.stderr.write(f"{name}: {len(answers)} answers\n")


def plain(answer: Any) -> Any:
    """Leave out `managedFields`, which makes up half of an answer and which nothing reads."""
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items() if key != "managedFields"}
    return [plain(item) for item in answer] if isinstance(answer, list) else answer


def add_zookeeper(admin: Admin) -> None:
    """Add a ZooKeeper ensemble, on the workers, with local volumes."""
    for number, rack in enumerate(RACKS):
        terms = [
            {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [f"worker-{rack}"]}]}
        ]
        admin.create(
            {
                "apiVersion": "v1",
                "kind": "PersistentVolume",
                "metadata": {"name": f"zookeeper-{number}"},
                "spec": {
                    "capacity": {"storage": "10Gi"},
                    "accessModes": ["ReadWriteOnce"],
                    "persistentVolumeReclaimPolicy": "Retain",
                    "storageClassName": "local-nvme",
                    "local": {"path": "/mnt/nvme1"},
                    "nodeAffinity": {"required": {"nodeSelectorTerms": terms}},
                },
            }
        )
    for thing in yaml.safe_load_all(HERE.joinpath("zookeeper.yaml").read_text("utf-8")):
        admin.create(thing)
    path = "/apis/policy/v1/namespaces/kafka/poddisruptionbudgets/zookeeper"
    admin.wait(path, lambda seen: seen.get("status", {}).get("disruptionsAllowed") == 1, "ZooKeeper", within=60)


def main() -> None:
    """Start a control plane, record it as it should be, with each fault, and with everything else in it."""
    with tempfile.TemporaryDirectory(prefix="runbook-record-") as folder:
        plane = control_plane.start(Path(folder, "plane"), binaries.programs(print), print)
        admin = Admin(plane.file("admin.kubeconfig"))
        try:
            reader = fill(plane, admin, RACKS, DATA)
            record(reader, "healthy")
            for name, fault in FAULTS.items():
                fault.inject(admin)
                record(reader, name)
                fault.heal(admin)
            add_zookeeper(admin)
            add_strimzi(admin)
            record(reader, "everything")
        finally:
            admin.close()
            control_plane.stop(plane)


if __name__ == "__main__":
    main()
