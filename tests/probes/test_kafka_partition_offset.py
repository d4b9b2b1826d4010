from collections.abc import Callable
from typing import Any

from runbook.model.errors import Unsupported

Play = Callable[[str], Any]
NOT_LEADER = 6


def test_partitions_tell_how_far_they_reach_and_how_old_their_records_are(play: Play):
    rows = list(play("offsets").observe("kafka_partition_offset", topics=["shipments.dlq", "refunds"]).rows())
    assert [(row["topic"], row["begin"], row["end"], row["records"]) for row in rows] == [
        ("refunds", 0, 4, 4),
        ("shipments.dlq", 0, 12, 12),
    ]
    assert all(row["oldest"].endswith("Z") and row["oldest"] <= row["newest"] for row in rows)


def test_an_empty_partition_has_no_times(play: Play):
    rows = play("offsets").observe("kafka_partition_offset").rows()
    empty = [row for row in rows if row["records"] == 0]
    assert empty
    assert {(row["oldest"], row["newest"]) for row in empty} == {(None, None)}


def test_only_topics_that_fit_a_pattern_are_asked_about(play: Play):
    fact = play("offsets").observe("kafka_partition_offset", topics=["*.dlq"])
    assert (fact.columns["topic"], fact.complete) == (["shipments.dlq"], True)


def test_each_leader_is_asked_once_for_each_of_four_places(play: Play):
    played = play("offsets")
    fact = played.observe("kafka_partition_offset")
    leaders = set(fact.columns["leader"])
    assert played.python.asked.count("ListOffsets") == 4 * len(leaders)


def test_a_partition_without_a_leader_is_a_gap(play: Play):
    played = play("offsets")
    played.recording["topics"]["refunds"][0][1] = -1
    fact = played.observe("kafka_partition_offset", topics=["refunds"])
    assert (fact.columns["end"], fact.columns["records"]) == ([None], [None])
    assert [gap.reason for gap in fact.gaps] == ["refunds-0 has no leader"]


def test_a_leader_that_refuses_is_a_gap_and_others_are_seen(play: Play):
    played = play("offsets")
    ask = played.python.ask

    def refuse(node: int, label: str, request: Any) -> Any:
        if node == 3 and type(request).__name__ == "ListOffsetsRequest":
            raise Unsupported(f"{label} is of a version that does not know this request")
        return ask(node, label, request)

    played.python.ask = refuse
    fact = played.observe("kafka_partition_offset")
    assert {gap.keys["broker"] for gap in fact.gaps} == {3}
    ends = {row["leader"]: row["end"] for row in fact.rows()}
    assert ends[3] is None
    assert ends[1] is not None


def test_hidden_topics_leave_a_gap(play: Play):
    played = play("offsets")
    played.python.unknown_topic = "TOPIC_AUTHORIZATION_FAILED"
    assert "topics may be hidden" in played.observe("kafka_partition_offset", topics=["none"]).gaps[0].reason
