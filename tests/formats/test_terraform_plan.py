"""Plans as Terraform prints them, and what is given in their place."""

import json
from typing import Any

import pytest

from runbook.formats import terraform_kafka
from runbook.formats.terraform_plan import Plan, binary, read_plan, resources_of
from support.terraform import changed, plan


def read(*changes: Any, **others: Any) -> Plan:
    found = read_plan(plan(*changes, **others))
    assert isinstance(found, Plan)
    return found


def test_data_sources_and_drift_are_no_changes():
    data = changed("kafka_topic", actions=["read"], after={"name": "x"}) | {"mode": "data"}
    found = read(data, resource_drift=[changed("kafka_topic", actions=["delete"], before={"name": "x"})])
    assert found.changes == []


def test_what_is_known_after_apply_is_not_absent():
    [one] = read(
        changed(
            "kafka_topic",
            after={"name": "a", "config": {"x": "1"}},
            after_unknown={"id": True, "replication_factor": True, "config": {"y": True}},
        )
    ).changes
    assert (one.told("replication_factor").why, one.told("replication_factor").value) == ("known after apply", None)
    assert (one.told("partitions").why, one.told("partitions").value) == ("", None)
    assert one.keys("config") == ["x", "y"]
    assert one.told("config", "y").why == "known after apply"
    assert one.told("config", "x").value == "1"


@pytest.mark.parametrize("unknown", [True, {"config": True}])
def test_all_of_a_map_may_be_known_after_apply(unknown: Any):
    [one] = read(changed("kafka_topic", after={}, after_unknown=unknown)).changes
    assert one.keys("config") is None


@pytest.mark.parametrize("hidden", [True, {"acl_principal": True}])
def test_a_sensitive_value_is_kept_apart(hidden: Any):
    [one] = read(changed("kafka_acl", after={"acl_principal": "User:x"}, after_sensitive=hidden)).changes
    assert (one.told("acl_principal").value, one.told("acl_principal").hidden) == (None, "User:x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"version": 4, "terraform_version": "1.9", "lineage": "a", "resources": []}', "a state of Terraform"),
        ('{"format_version": "1.0", "values": {}}', "printed a state"),
        ('{"@level":"info","terraform":"1.9"}\n{"@level":"info"}\n', "the log that terraform plan -json prints"),
        ('{"resource": {"kafka_topic": {"a": {}}}}', "Terraform's source"),
        ('{"format_version": "2.0", "resource_changes": []}', "format_version 2.0 is newer"),
        ('{"format_version": "1.2", "resource_changes": [{"address": 3}]}', "no plan as Terraform prints it"),
    ],
)
def test_what_is_no_plan_is_told_with_the_remedy(text: str, says: str):
    found = read_plan(text)
    assert isinstance(found, str)
    assert says in found


@pytest.mark.parametrize(
    "text", ["", "a: 1\n", "[]", "{}", "{broken", '{"a": 1}\n{"b": 2}\n', '{"resource": {"aws_instance": {"a": {}}}}']
)
def test_what_is_nothing_of_terraform_is_left_to_others(text: str):
    assert read_plan(text) is None


def test_a_plan_that_does_not_say_all_says_so():
    assert "ended with an error" in read(errored=True).incomplete
    assert "1 changes are deferred" in read(complete=False, deferred_changes=[{}]).incomplete
    assert read(complete=True, applyable=False).incomplete == ""


def test_the_configuration_of_modules_is_gone_through():
    inner = {"module": {"resources": [{"type": "kafka_topic", "name": "this"}]}}
    root = {"resources": [{"type": "kafka_acl", "name": "a"}], "module_calls": {"m": inner}}
    found = read(configuration={"root_module": root})
    assert found.configured == {("kafka_topic", "this"), ("kafka_acl", "a")}


def test_a_binary_file_is_a_plan_only_if_it_holds_one():
    assert "terraform show -json" in binary(b"PK\x03\x04...tfplan...")
    assert binary(b"PK\x03\x04...docx") == binary(b"resource") == ""


def test_source_tells_the_lines_of_kafkas_resources():
    source = 'resource "kafka_topic" "a" {}\n# resource "kafka_topic" "b" {}\n\n  resource "aws_msk_cluster" "c" {\n'
    assert resources_of(source + 'resource "aws_instance" "d" {}') == [
        ("kafka_topic", "a", 1),
        ("aws_msk_cluster", "c", 4),
    ]


def test_a_plan_of_the_first_format_is_read():
    old = json.loads(plan(changed("kafka_topic", provider="kafka", after={"name": "a"}))) | {"format_version": "0.1"}
    found = read_plan(json.dumps(old))
    assert isinstance(found, Plan)
    assert found.changes[0].provider == "kafka"


@pytest.mark.parametrize(
    ("kind", "after", "part"),
    [
        ("kubernetes_manifest", {"manifest": {"apiVersion": "kafka.strimzi.io/v1", "kind": "KafkaTopic"}}, "topic"),
        ("kubernetes_manifest", {"manifest": {"apiVersion": "kafka.banzaicloud.io/v1", "kind": "KafkaUser"}}, "right"),
        ("kubernetes_manifest", {"manifest": {"apiVersion": "v1", "kind": "ConfigMap"}}, None),
        ("kubernetes_manifest", {"manifest": None}, None),
        ("kubectl_manifest", {"yaml_body": "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\n"}, "cluster"),
        ("kubectl_manifest", {"yaml_body": None}, None),
        ("helm_release", {"chart": "oci://host/charts/kafka"}, "cluster"),
        ("helm_release", {"chart": "strimzi-kafka-operator"}, None),
        ("helm_release", None, None),
    ],
)
def test_a_resource_of_kubernetes_or_a_chart_in_a_plan_is_not_passed_over(kind: str, after: Any, part: str | None):
    [one] = read(changed(kind, after=after)).changes
    assert terraform_kafka.not_read(one) == part


@pytest.mark.parametrize(
    ("references", "told"),
    [(["confluent_service_account.app.id", "confluent_service_account.app"], [False]), (["var.principal"], [None])],
)
def test_a_rule_of_an_account_that_the_plan_creates_is_not_of_everybody(references: list[str], told: list[Any]):
    rule = {"resource_type": "TOPIC", "resource_name": "a", "pattern_type": "LITERAL", "operation": "READ"}
    change = changed(
        "confluent_kafka_acl",
        provider="confluentinc/confluent",
        after=rule | {"permission": "ALLOW", "host": "*"},
        after_unknown={"principal": True},
    )
    block = {"type": "confluent_kafka_acl", "name": "orders", "expressions": {"principal": {"references": references}}}
    [one] = read(change, configuration={"root_module": {"resources": [block]}}).changes
    [right] = terraform_kafka.rights(one, "plan.json")
    assert [right.everybody] == told
    assert right.user is None
    assert "known after apply" in right.why


def test_a_text_that_is_nested_too_deep_is_no_plan():
    assert read_plan('{"": ' + "[" * 100_000) is None
