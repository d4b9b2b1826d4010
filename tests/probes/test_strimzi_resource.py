from pathlib import Path
from typing import Any

import pytest

from runbook.connections import manifests
from runbook.model.fact import tabulate
from runbook.model.probe import Deadline
from runbook.probes.strimzi_resource import PROBE, observe
from support.strimzi_played import CONNECTORS, TOPICS, platform

FILE = """apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: a, labels: {LABEL: orders}}
spec: {FIELD: 3}
"""


def of_file(tmp_path: Path, label: str = "strimzi.io/cluster", field: str = "partitions") -> dict[str, Any]:
    file = tmp_path / "a.yaml"
    file.write_text(FILE.replace("LABEL", label).replace("FIELD", field))
    declared = observe(manifests.connect({"paths": [str(file)]}, Deadline(5)))
    [row] = tabulate("strimzi_resource", PROBE.columns, declared).rows()
    return row


def test_what_a_file_misspells_is_told(tmp_path: Path):
    assert of_file(tmp_path)["refused"] == []
    assert of_file(tmp_path, field="partitons")["refused"] == ["spec.partitons is no field: partitions? (line 4)"]


def test_what_an_api_server_gave_it_has_taken():
    played = platform()
    played.item(TOPICS, "orders")["spec"]["addedLater"] = 1
    assert played.row("strimzi_resource", kind="KafkaTopic", resource="orders")["refused"] == []


@pytest.mark.parametrize(("label", "misspelt"), [("strimz.io/cluster", ["strimz.io/cluster"]), ("team", [])])
def test_a_label_that_is_like_the_one_that_counts_is_told(tmp_path: Path, label: str, misspelt: list[str]):
    row = of_file(tmp_path, label)
    assert (row["owner"], row["cluster"], row["misspelt"]) == ("Kafka", "", misspelt)
    assert (of_file(tmp_path)["cluster"], of_file(tmp_path)["misspelt"]) == ("orders", [])


def test_what_it_belongs_to_is_told_by_its_kind():
    rows = platform().observe("strimzi_resource").rows()
    owners = {row["kind"]: row["owner"] for row in rows}
    assert (owners["Kafka"], owners["KafkaTopic"], owners["KafkaConnector"]) == ("", "Kafka", "KafkaConnect")
    assert platform().row("strimzi_resource", kind="KafkaConnector")["cluster"] == "connect"


def test_without_strimzi_the_question_has_no_meaning():
    played = platform()
    del played.answers["/apis/kafka.strimzi.io"]
    assert played.observe("strimzi_resource").inapplicable
    assert CONNECTORS not in played.asked
