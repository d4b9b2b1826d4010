from typing import Any

from runbook.views.streams_input import compute
from support.kafka_facts import fact

INTERNAL = ("words-count-repartition", "words-count-changelog")


def of_words(commits: list[bool | None], width: int = 2) -> Any:
    rows = [{"group": "words", "topic": "lines", "partition": n, "commits": one} for n, one in enumerate(commits)]
    topics = [{"name": name, "partitions": width} for name in INTERNAL]
    topics.append({"name": "lines", "partitions": len(commits)})
    [row] = compute(lag=fact("kafka_group_lag", rows), topic=fact("kafka_topic", topics)).rows
    return row


def test_an_input_that_grew_is_wider_than_the_internal_topics_and_what_was_read() -> None:
    assert of_words([True, True, False]).narrow == [*INTERNAL]


def test_an_input_that_is_read_in_all_its_partitions_is_meant_to_be_wider() -> None:
    assert of_words([True, True, True]).narrow == []


def test_commits_elsewhere_than_in_the_first_partitions_are_not_of_the_former_width() -> None:
    assert of_words([True, False, True]).committed is None


def test_where_a_commit_is_not_known_nothing_is_said() -> None:
    assert of_words([True, None, False]).narrow is None
