from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.named_subject import NamedSubject, compute

_THERE = Fact("schema_version", {"subject": ["orders-value", "clicks-value", "orders-value"], "version": [9, 4, 10]})
_CUT = replace(_THERE, gaps=[Gap("a version is not told")])


def test_the_newest_of_its_versions_is_found_among_others():
    assert compute(version=_THERE, subject="orders-value").rows == [
        NamedSubject(subject="orders-value", there=True, newest=10)
    ]


def test_one_that_is_not_there_is_told():
    assert compute(version=_THERE, subject="order-value").rows == [
        NamedSubject(subject="order-value", there=False, newest=0)
    ]


def test_what_may_be_hidden_is_unknown():
    assert compute(version=_CUT, subject="orders-value").rows == [
        NamedSubject(subject="orders-value", there=True, newest=None)
    ]
    assert compute(version=_CUT, subject="order-value").rows == [
        NamedSubject(subject="order-value", there=None, newest=None)
    ]


def test_without_a_name_nothing_is_said():
    assert compute(version=_THERE).rows == []
