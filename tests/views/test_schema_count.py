from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.schema_count import compute

_THERE = Fact("schema_version", {"subject": ["orders-value", "orders-value"], "version": [1, 2]})


def test_versions_are_counted():
    assert [row.versions for row in compute(version=_THERE).rows] == [2]


def test_an_empty_registry_has_none():
    assert [row.versions for row in compute(version=Fact("schema_version", {"subject": [], "version": []})).rows] == [0]


def test_what_may_be_hidden_is_not_counted():
    assert [row.versions for row in compute(version=replace(_THERE, gaps=[Gap("one is not told")])).rows] == [None]
