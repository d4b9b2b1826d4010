"""Patches of kustomize are no resources: what they leave out stands in the base."""

from pathlib import Path

import pytest

from runbook.connections import manifests
from runbook.model.probe import Deadline

GROUP = "kafka.strimzi.io"
KAFKA = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: %s}\nspec: {}\n"


@pytest.mark.parametrize(
    "listed",
    [
        "patches: [{path: kafka.yaml}]",
        "patchesStrategicMerge: [./kafka.yaml]",
        "patchesJson6902: [{path: ../prod/kafka.yaml, target: {kind: Kafka}}]",
    ],
)
def test_a_patch_is_not_judged_and_its_base_is(tmp_path: Path, listed: str):
    for name, text in {
        "base/kafka.yaml": KAFKA % "orders",
        "prod/kafka.yaml": KAFKA % "orders",
        "prod/more.yaml": KAFKA % "more",
        "prod/kustomization.yaml": f"resources: [../base, more.yaml]\n{listed}\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    read = manifests.connect({"paths": str(tmp_path)}, Deadline(5))
    assert [one["metadata"]["name"] for one in read.custom(GROUP, "kafkas")[1]] == ["orders", "more"]
    [patch] = read.lost(GROUP, "kafkas")
    assert (patch.name, patch.place.file) == ("orders", f"{tmp_path}/prod/kafka.yaml")
    assert "kustomize build" in patch.why
    assert read.lost(GROUP, "kafkatopics") == []


@pytest.mark.parametrize("listed", ["patches: x", "patches: [7, {path: [a]}, {patch: '- op: add'}]", "- a", "x"])
def test_what_names_no_file_makes_no_patch(tmp_path: Path, listed: str):
    (tmp_path / "kafka.yaml").write_text(KAFKA % "orders")
    (tmp_path / "kustomization.yaml").write_text(f"{listed}\n")
    read = manifests.connect({"paths": str(tmp_path)}, Deadline(5))
    assert len(read.custom(GROUP, "kafkas")[1]) == 1
    assert read.lost(GROUP, "kafkas") == []
