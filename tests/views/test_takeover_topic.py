import pytest

from runbook.model.fact import Fact, Gap
from runbook.views import takeover_topic
from support.mirror_facts import HIDDEN, fact_of

AS_IT_IS = {"partitions": 3, "replication_factor": 3, "cleanup_policy": "delete", "max_message_bytes": 1048588}


def topics(*names: str, gaps: tuple[Gap, ...] = ()) -> Fact:
    return fact_of("kafka_topic", [{"name": name} | AS_IT_IS for name in names], gaps)


def test_each_mirror_has_its_topic_or_lacks_it() -> None:
    made = takeover_topic.compute(target=topics("us.orders", "orders", "us.clicks", "audit"), prefix="us.")
    assert [(row.topic, row.mirror, row.present) for row in made.rows] == [
        ("orders", "us.orders", True),
        ("clicks", "us.clicks", False),
    ]


def test_values_are_those_of_the_topic_and_those_of_the_mirror() -> None:
    own = {"partitions": 1, "replication_factor": 2, "cleanup_policy": "compact", "max_message_bytes": 4}
    fact = fact_of("kafka_topic", [{"name": "us.orders"} | AS_IT_IS, {"name": "orders"} | own])
    [row] = takeover_topic.compute(target=fact, prefix="us.").rows
    assert (row.partitions, row.replication_factor, row.cleanup_policy, row.max_message_bytes) == (1, 2, "compact", 4)
    assert (row.mirror_partitions, row.mirror_replication_factor) == (3, 3)
    assert (row.mirror_cleanup_policy, row.mirror_max_message_bytes) == ("delete", 1048588)


def test_a_topic_is_missing_only_if_all_were_seen() -> None:
    [row] = takeover_topic.compute(target=topics("us.orders", gaps=HIDDEN), prefix="us.").rows
    assert row.present is None
    assert row.partitions is None


@pytest.mark.parametrize("given", [{"topics": ["pay*"]}, {"exclude": ["ord*"]}])
def test_only_topics_that_are_meant_are_looked_at(given: dict[str, list[str]]) -> None:
    assert takeover_topic.compute(target=topics("us.orders", "us.mm2-x.internal"), prefix="us.", **given).rows == []


def test_it_does_not_apply_where_names_are_kept() -> None:
    assert "keep the names" in takeover_topic.compute(target=topics("orders"), prefix="").inapplicable
