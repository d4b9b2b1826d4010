from pathlib import Path
from typing import Any

from runbook.connections import manifests
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import cluster_declaration
from support.strimzi_played import KAFKAS, platform
from support.terraform import changed, plan


def told(file: Path, *changes: Any) -> Fact:
    file.write_text(plan(*changes))
    read = manifests.connect({"paths": str(file)}, Deadline(5))
    return tabulate("cluster_declaration", cluster_declaration.PROBE.columns, cluster_declaration.observe(read))


def configuration(properties: str | None, **change: Any) -> Any:
    after = {"name": "main", "server_properties": properties}
    return changed("aws_msk_configuration", "main", provider="example.com/hashicorp/aws", after=after, **change)


def test_a_resource_of_strimzi_has_kafkas_defaults():
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["kafka"]["config"] = {"min.insync.replicas": 2}
    row = played.row("cluster_declaration", kafka="orders")
    assert (row["tool"], row["default_replication"], row["min_insync"], row["auto_create"]) == ("Strimzi", 1, 2, True)


def test_properties_of_msk_are_read_and_what_they_lack_is_not_known(tmp_path: Path):
    text = "# ours\nmin.insync.replicas = 1\nauto.create.topics.enable:true\n"
    [row] = told(tmp_path / "plan.json", configuration(text)).rows()
    assert (row["kafka"], row["min_insync"], row["auto_create"]) == ("aws_msk_configuration.main", 1, True)
    assert (row["default_replication"], row["unclean_election"]) == (None, None)
    assert "default.replication.factor" in row["why"]


def test_properties_that_are_known_after_apply_are_not_known(tmp_path: Path):
    [row] = told(tmp_path / "plan.json", configuration(None, after_unknown={"server_properties": True})).rows()
    assert (row["min_insync"], row["why"]) == (None, "aws_msk_configuration.main: known after apply")
