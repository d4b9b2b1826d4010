import pytest
from msgspec.structs import astuple

from runbook.model.fact import Fact
from runbook.views import mirror_reader
from support.mirror_facts import fact_of

TOPICS = fact_of("kafka_topic", [{"name": name} for name in ("orders", "eu.orders", "clicks", "eu.views")])


def reads(*topics: str, group: str = "billing") -> Fact:
    return fact_of("kafka_group_offset", [{"group": group, "topic": topic} for topic in topics])


@pytest.mark.parametrize(
    ("topics", "says"),
    [
        (("orders", "eu.orders"), [("orders", True, True)]),
        (("orders",), [("orders", True, False)]),
        (("eu.orders",), [("orders", False, True)]),
        (("clicks", "eu.views"), []),
    ],
)
def test_a_group_that_reads_one_of_the_two_is_told(topics: tuple[str, ...], says: list[tuple[object, ...]]) -> None:
    made = mirror_reader.compute(offset=reads(*topics), topic=TOPICS, prefix="eu.", groups=["bill*"])
    assert [astuple(row)[1:2] + astuple(row)[3:] for row in made.rows] == says


def test_only_groups_that_are_meant_are_looked_at() -> None:
    assert (
        mirror_reader.compute(offset=reads("orders", group="other"), topic=TOPICS, prefix="eu.", groups=["bill*"]).rows
        == []
    )


def test_it_does_not_apply_where_names_are_kept() -> None:
    assert "keep the names" in mirror_reader.compute(offset=reads("orders"), topic=TOPICS, groups=["*"]).inapplicable
