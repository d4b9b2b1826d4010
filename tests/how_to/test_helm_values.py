"""Helm values of Kafka's charts: the page shows what is said of them, and what they leave open is never a pass."""

from pathlib import Path

import pytest

from how_to.test_declared_elsewhere import PAGE, check
from support.documented import fences

BITNAMI = """\
image: {repository: bitnami/kafka, tag: 4.1.1}
listeners:
  client: {protocol: SASL_SSL}
  interbroker: {protocol: SASL_SSL}
  controller: {protocol: SASL_SSL}
controller:
  replicaCount: 3
  controllerOnly: true
  podAntiAffinityPreset: hard
  heapOpts: -Xms1g -Xmx1g
  resources: {requests: {cpu: "1", memory: 3Gi}, limits: {memory: 3Gi}}
heapOpts: -Xms4g -Xmx4g
broker:
  replicaCount: 3
  podAntiAffinityPreset: hard
  resources: {requests: {cpu: "2", memory: 10Gi}, limits: {memory: 10Gi}}
overrideConfiguration:
  default.replication.factor: 3
  min.insync.replicas: 2
  auto.create.topics.enable: false
  authorizer.class.name: org.apache.kafka.metadata.authorizer.StandardAuthorizer
metrics: {jmx: {enabled: true}}
"""
WELL = BITNAMI.replace("heapOpts: -Xms4g -Xmx4g\nbroker:\n", "broker:\n  heapOpts: -Xms4g -Xmx4g\n")
CONFLUENT = "cp-kafka: {brokers: 3, configurationOverrides: {min.insync.replicas: 2}}\ncp-zookeeper: {servers: 3}\n"


def test_a_heap_that_the_chart_does_not_look_at_is_found_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "values-prod.yaml").write_text(BITNAMI)
    assert check(tmp_path, monkeypatch, "--manifests", "deploy/values-prod.yaml") == 1
    [shown] = [fence.text for fence in fences(PAGE) if "values-prod.yaml broker" in fence.text]
    assert shown in capfd.readouterr().out


def test_values_that_are_well_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "values.yaml").write_text(WELL)
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 0


def test_what_another_file_may_say_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "values.yaml").write_text(WELL)
    (tmp_path / "prod").mkdir()
    (tmp_path / "prod" / "values.yaml").write_text("broker: {replicaCount: 5}\ncontroller: {controllerOnly: true}\n")
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 3
    shown = " ".join(capfd.readouterr().out.split())
    assert "prod/values.yaml may be laid over it, or it over that (helm -f)" in shown


@pytest.mark.parametrize("said", ["kafka: {enabled: false, listeners: {client: {protocol: PLAINTEXT}}}\n", ""])
def test_a_chart_that_is_turned_off_declares_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str):
    (tmp_path / "values.yaml").write_text(f"{said}replicaCount: 1\n")
    (tmp_path / "topic.yaml").write_text(
        "apiVersion: kafka.jikkou.io/v1\nkind: KafkaTopic\nmetadata: {name: orders}\n"
        "spec: {partitions: 3, replicas: 3, configs: {min.insync.replicas: 2}}\n"
    )
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 0


def test_a_chart_that_stands_there_is_judged_by_its_values_and_not_by_its_templates_or_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    part = tmp_path / "charts" / "cp-kafka"
    (part / "templates").mkdir(parents=True)
    (part / "templates" / "statefulset.yaml").write_text("kind: StatefulSet\nmetadata: {{ kafka }}\n")
    (part / "Chart.yaml").write_text("apiVersion: v1\nname: cp-kafka\nversion: 0.1.0\n")
    (part / "values.yaml").write_text("brokers: 1\nconfigurationOverrides: {min.insync.replicas: 1}\n")
    (tmp_path / "Chart.yaml").write_text("apiVersion: v1\nname: cp-helm-charts\nversion: 0.1.0\n")
    (tmp_path / "values.yaml").write_text(CONFLUENT)
    assert check(tmp_path, monkeypatch, "--manifests", ".") == 1
    shown = " ".join(capfd.readouterr().out.split())
    assert "min.insync.replicas 2, default.replication.factor 1 (values.yaml:1)" in shown
    assert "0 unknown" in shown
