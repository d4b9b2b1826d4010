import time

import pytest

from runbook.answers.kubernetes import objects
from runbook.model.errors import Garbled

POD = {
    "kind": "Pod",
    "metadata": {"name": "kafka-1", "labels": {"app": "kafka"}},
    "spec": {"hostNetwork": True, "n": 3},
}


def test_what_is_there_is_given():
    assert objects.name(POD) == "kafka-1"
    assert objects.labels(POD) == {"app": "kafka"}
    assert objects.flag(POD, "spec", "hostNetwork") is True
    assert objects.number(POD, "spec", "n") == 3


def test_what_is_absent_is_empty_or_the_default():
    assert objects.part(POD, "status", "nothing") == {}
    assert objects.many(POD, "spec", "containers") == []
    assert objects.text(POD, "spec", "nodeName") == ""
    assert objects.number(POD, "spec", "grace", default=30) == 30
    assert objects.condition(POD, "Ready") is None


@pytest.mark.parametrize(
    "read",
    [
        lambda: objects.part(POD, "metadata", "name"),
        lambda: objects.many(POD, "metadata", "labels"),
        lambda: objects.number(POD, "spec", "hostNetwork"),
        lambda: objects.flag(POD, "spec", "n"),
        lambda: objects.text(POD, "metadata", "name", "first"),
        lambda: objects.many({"spec": {"containers": ["kafka"]}}, "spec", "containers"),
    ],
)
def test_another_shape_is_refused_rather_than_taken_for_absence(read: object):
    with pytest.raises(Garbled):
        read()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("value", "scale", "read"),
    [
        ("500m", 1000, 500),
        ("2", 1000, 2000),
        ("0.5", 1000, 500),
        ("4Gi", 1, 4 << 30),
        ("4G", 1, 4_000_000_000),
        ("129e6", 1, 129_000_000),
        ("1E", 1, 10**18),
        ("1.5Ki", 1, 1536),
        ("250000n", 1_000_000, 250),
        (None, 1, 0),
        ("", 1, 0),
    ],
)
def test_quantities_are_read_as_kubernetes_writes_them(value: object, scale: int, read: int):
    assert objects.quantity(value, scale=scale) == read


def test_what_is_no_quantity_is_refused():
    with pytest.raises(Garbled, match="lots"):
        objects.quantity("lots")


@pytest.mark.parametrize("value", ["1e99999999", "9223372036854775808", "NaN", "1ki", "1mi", "5 G", [], {}])
def test_a_quantity_that_kubernetes_can_not_hold_is_refused_at_once(value: object):
    begin = time.process_time()
    with pytest.raises(Garbled, match="no quantity"):
        objects.quantity(value)
    assert time.process_time() - begin < 1
