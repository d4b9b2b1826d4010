"""What only simulated kubelets show, and no check judges to the number: the output of pods, read through the server."""

from pathlib import Path

import pytest
import yaml

from live.kubernetes.scenes import Cluster, lacking, settings
from runbook.connections.kubernetes import connect
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.plugins.catalog import catalog
from support.documented import titled
from support.evidence.labs import Labs

LACKING = lacking()
ROLE = Path("docs/how-to/least-privilege-kubernetes.md")
pytestmark = [
    pytest.mark.live,
    pytest.mark.thorough,  # it needs the whole control plane
    pytest.mark.timeout(2400),
    pytest.mark.skipif(bool(LACKING), reason=LACKING),
]


def test_with_the_role_for_logs_collections_are_read_from_the_output_of_pods(running: Labs):
    cluster: Cluster = running.of("kubernetes")
    role = yaml.safe_load(titled(str(ROLE), "logs-role.yaml"))
    binding = {
        "apiVersion": role["apiVersion"],
        "kind": "RoleBinding",
        "metadata": role["metadata"],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role["metadata"]["name"]},
        "subjects": [{"kind": "ServiceAccount", "name": "runbook", "namespace": "kafka"}],
    }
    cluster.admin.create(role)
    cluster.admin.create(binding)
    kubernetes = connect(settings(cluster.reader) | {"logs": True}, Deadline(20))
    probe = catalog("probes").load("jvm_gc_log")
    fact = tabulate("jvm_gc_log", probe.PROBE.columns, probe.observe(kubernetes))
    kubernetes.close()
    cluster.admin.delete(f"/apis/rbac.authorization.k8s.io/v1/namespaces/kafka/rolebindings/{role['metadata']['name']}")
    assert fact.gaps == []
    assert [(row["broker"], row["longest"], row["pauses"]) for row in fact.rows()] == [(n, 12.5, 2) for n in (1, 2, 3)]
