from runbook.views.connect_topic_set import ConnectTopicSet, compute
from support.kafka_facts import fact


def sets(*names: str) -> list[ConnectTopicSet]:
    return list(compute(topic=fact("kafka_topic", [{"name": name} for name in names])).rows)


def test_three_topics_go_together_in_the_singular_and_in_the_plural() -> None:
    [found] = sets("connect-config", "connect-offsets", "connect-statuses", "orders")
    assert found == ConnectTopicSet(
        base="connect-", topics=["connect-config", "connect-offsets", "connect-statuses"], missing=[], alone=""
    )


def test_what_is_missing_of_them_is_told_of_each_cluster_by_itself() -> None:
    first, second = sets("connect-configs", "connect-status", "team.connect.offsets", "team.connect.configs")
    assert (first.base, first.missing, first.alone) == ("connect-", ["offsets"], "")
    assert (second.base, second.missing, second.alone) == ("team.connect.", ["status"], "")


def test_of_one_that_stands_alone_it_is_not_known_whose_it_is() -> None:
    of_groups, found = sets("__consumer_offsets", "connect-offsets")
    assert (found.topics, found.missing) == (["connect-offsets"], ["configs", "status"])
    assert found.alone.startswith("connect-offsets stands alone")
    assert of_groups.alone == ""


def test_other_names_are_no_rows() -> None:
    assert sets("orders", "offsets", "connect-offsets-old") == []
