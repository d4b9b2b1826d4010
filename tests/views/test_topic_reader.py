from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.topic_reader import TopicReader, compute


def offsets(*rows: tuple[Any, ...]) -> Fact:
    names = ("group", "topic", "partition", "members", "lag")
    return Fact("kafka_group_offset", {name: [row[i] for row in rows] for i, name in enumerate(names)})


def test_a_topic_shows_who_reads_it_and_who_is_there():
    topics = Fact("kafka_topic", {"name": ["a.dlq", "b.dlq", "c"]})
    committed = offsets(("g", "a.dlq", 0, 2, 5), ("h", "a.dlq", 0, 0, 3), ("g", "a.dlq", 1, 2, 1), ("g", "c", 0, 1, 0))
    rows = compute(topic=topics, offset=committed, topics=["*.dlq"]).rows
    assert rows == [
        TopicReader(topic="a.dlq", groups=["g", "h"], active=["g"], lag=4),
        TopicReader(topic="b.dlq", groups=[], active=[], lag=None),
    ]


def test_what_is_left_is_unknown_where_no_lag_is_known():
    topics = Fact("kafka_topic", {"name": ["a"]})
    assert compute(topic=topics, offset=offsets(("g", "a", 0, 1, None))).rows == [
        TopicReader(topic="a", groups=["g"], active=["g"], lag=None)
    ]


@pytest.mark.parametrize(
    ("seen", "reader"),
    [
        (offsets(), TopicReader(topic="a", groups=None, active=None, lag=None)),
        (offsets(("g", "a", 0, 0, 1)), TopicReader(topic="a", groups=["g"], active=None, lag=None)),
        (offsets(("g", "a", 0, 2, 1)), TopicReader(topic="a", groups=["g"], active=["g"], lag=None)),
    ],
)
def test_where_groups_may_be_hidden_that_nobody_reads_it_is_unknown(seen: Fact, reader: TopicReader):
    topics = Fact("kafka_topic", {"name": ["a"]})
    hidden = replace(seen, gaps=[Gap("groups of a coordinator are not known", {"broker": 2})])
    assert compute(topic=topics, offset=hidden).rows == [reader]
