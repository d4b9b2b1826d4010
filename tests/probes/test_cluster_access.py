from pathlib import Path
from typing import Any

import pytest

from runbook.connections import manifests
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.probes import cluster_access
from support.strimzi_played import platform
from support.terraform import changed, plan

IAM = {"client_authentication": [{"unauthenticated": False, "sasl": [{"iam": True, "scram": False}], "tls": []}]}


def transit(words: str) -> dict[str, Any]:
    return {"encryption_info": [{"encryption_in_transit": [{"client_broker": words}]}]}


@pytest.mark.parametrize(
    ("after", "unknown", "tls", "login"),
    [
        (IAM, {}, True, True),
        (IAM | transit("TLS"), {}, True, True),
        (IAM | transit("TLS_PLAINTEXT"), {}, False, True),
        (IAM | transit("PLAINTEXT"), {}, False, True),
        ({"client_authentication": [{"unauthenticated": True, "sasl": [{"iam": True}]}]}, {}, True, False),
        ({"client_authentication": [{"tls": [{"certificate_authority_arns": ["a"]}]}]}, {}, True, True),
        ({}, {}, True, None),
        (IAM, {"client_authentication": True}, True, None),
        (IAM, {"encryption_info": True}, None, True),
    ],
)
def test_how_clients_get_in_is_told(tmp_path: Path, after: Any, unknown: Any, *, tls: bool | None, login: bool | None):
    change = changed("aws_msk_cluster", provider="example.com/hashicorp/aws", after=after, after_unknown=unknown)
    (tmp_path / "plan.json").write_text(plan(change))
    read = manifests.connect({"paths": str(tmp_path)}, Deadline(5))
    [row] = tabulate("cluster_access", cluster_access.PROBE.columns, cluster_access.observe(read)).rows()
    assert (row["tls_only"], row["login_only"]) == (tls, login)
    assert bool(row["why"]) == (None in (tls, login))


def test_an_api_server_tells_nothing_of_it():
    assert platform().observe("cluster_access").inapplicable
