from runbook.model.fact import Gap, tabulate
from runbook.views.topic_move import VIEW, compute
from support.kafka_facts import fact


def moving(*gaps: Gap) -> dict[str, bool | None]:
    topics = fact("kafka_topic", [{"name": "t"}, {"name": "u"}])
    moves = fact("kafka_reassignment", [{"topic": "t", "partition": 0}], *gaps)
    return {
        row["topic"]: row["moving"]
        for row in tabulate("topic_move", VIEW.columns, compute(topic=topics, moved=moves)).rows()
    }


def test_a_topic_is_being_moved_if_a_partition_of_it_is() -> None:
    assert moving() == {"t": True, "u": False}


def test_what_is_not_seen_may_be_moving() -> None:
    assert moving(Gap("not all moves are seen")) == {"t": True, "u": None}
