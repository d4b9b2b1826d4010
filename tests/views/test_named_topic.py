from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.named_topic import NamedTopic, compute

_THERE = Fact("kafka_topic", {"name": ["orders", "payments", "clicks"]})


def test_topics_are_found_and_others_are_told_with_names_like_theirs():
    assert compute(topics=_THERE, names=["orders", "paymnets-eu", "orders"]).rows == [
        NamedTopic(topic="orders", there=True, alike=""),
        NamedTopic(topic="paymnets-eu", there=False, alike="payments"),
    ]


def test_one_that_may_be_hidden_is_unknown():
    hidden = replace(_THERE, gaps=[Gap("topics may be hidden")])
    assert [row.there for row in compute(topics=hidden, names=["orders", "ordres"]).rows] == [True, None]


def test_without_a_name_nothing_is_said():
    assert compute(topics=_THERE).rows == []
