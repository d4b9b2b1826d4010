import pytest

from runbook.answers.kubernetes.labels import matches, object_selector, parse_selector
from runbook.model.errors import Garbled, Misconfigured


@pytest.mark.parametrize(
    ("text", "labels", "met"),
    [
        ("app=kafka", {"app": "kafka"}, True),
        ("app==kafka", {"app": "kafka"}, True),
        ("app=kafka", {"app": "zookeeper"}, False),
        ("app=kafka,tier=prod", {"app": "kafka"}, False),
        ("app!=kafka", {"app": "connect"}, True),
        ("app!=kafka", {}, True),
        ("strimzi.io/cluster", {"strimzi.io/cluster": "orders"}, True),
        ("strimzi.io/cluster", {}, False),
        ("!old", {}, True),
        ("!old", {"old": ""}, False),
    ],
)
def test_a_selector_means_what_kubectl_means_by_it(text: str, labels: dict[str, str], *, met: bool):
    assert matches(parse_selector(text, "brokers"), labels) is met


@pytest.mark.parametrize("text", ["", "app in (a, b)", "=kafka", "app=kafka,", "app = = x"])
def test_another_way_of_writing_is_refused_with_the_setting(text: str):
    with pytest.raises(Misconfigured, match="brokers of kubernetes"):
        parse_selector(text, "brokers")


@pytest.mark.parametrize(
    ("selector", "met"),
    [
        ({"matchLabels": {"app": "kafka"}}, True),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["zoo", "kafka"]}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["kafka"]}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, False),
        ({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "Resembles", "values": ["kafka"]}]}, False),
        ({}, True),
    ],
)
def test_an_objects_selector_means_what_kubernetes_means_by_it(selector: dict[str, object], *, met: bool):
    found = object_selector(selector)
    assert found is not None
    assert matches(found, {"app": "kafka"}) is met


def test_no_selector_is_not_an_empty_one():
    assert object_selector(None) is None
    assert object_selector({}) == ()


@pytest.mark.parametrize("selector", [1, [], "app=kafka", {"matchLabels": []}, {"matchExpressions": [1]}])
def test_what_is_no_selector_is_refused(selector: object):
    with pytest.raises(Garbled):
        object_selector(selector)


def test_an_expression_without_operator_is_met_by_nothing():
    selector = object_selector({"matchExpressions": [{"key": "app"}]})
    assert selector is not None
    assert not matches(selector, {"app": "kafka"})
