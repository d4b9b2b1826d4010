from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.views import mirror_choice
from support.mirror_facts import fact_of, seen

FLOW = {
    "connector": "eu-us",
    "kind": "source",
    "target": "us",
    "separator": ".",
    "policy": "default",
    "topics": [".*"],
    "topics_exclude": ["mm2.*\\.internal", "__.*"],
}


def topics(*names: str) -> Fact:
    return fact_of("kafka_topic", [{"name": name, "internal": name.startswith("__")} for name in names])


def choice(name: str, **flow: Any) -> dict[str, Any]:
    [row] = seen(
        mirror_choice, connector=fact_of("mirror_connector", [FLOW | flow]), topic=topics(name), topics=["orders*"]
    )
    return row


@pytest.mark.parametrize(
    ("filters", "taken"),
    [
        ([".*"], True),
        (["orders"], True),
        (["order"], False),
        (["clicks", "ord.*s"], True),
        (["rders"], False),
        ([], False),
    ],
)
def test_a_filter_takes_a_topic_whose_whole_name_fits(filters: list[str], taken: object) -> None:
    row = choice("orders", topics=filters)
    assert (row["taken"], row["meant"]) == (taken, True)


def test_what_is_excluded_is_not_taken() -> None:
    assert choice("orders", topics_exclude=["o.*"])["taken"] is False
    assert choice("clicks") == {
        "topic": "clicks",
        "meant": False,
        "taken": True,
        "flows": ["eu-us"],
        "state": "",
        "returns": False,
    }


def test_what_comes_back_is_taken_only_where_names_are_kept() -> None:
    assert [choice("us.orders", policy=policy)["taken"] for policy in ("default", "identity")] == [False, True]
    assert choice("us.orders")["returns"] is True


def test_a_topic_with_state_says_whose() -> None:
    assert choice("app-counts-changelog")["state"] == "changelog of Streams"


def test_only_copying_connectors_choose_and_kafkas_own_topics_are_left_out() -> None:
    flows = fact_of("mirror_connector", [FLOW, FLOW | {"kind": "heartbeat"}])
    assert [
        row["topic"] for row in seen(mirror_choice, connector=flows, topic=topics("orders", "__consumer_offsets"))
    ] == ["orders"]


@pytest.mark.parametrize("filters", [None, ["(?<name"]])
def test_filters_that_are_not_known_or_not_understood_are_a_gap(filters: list[str] | None) -> None:
    made = mirror_choice.compute(
        connector=fact_of("mirror_connector", [FLOW | {"topics": filters}]), topic=topics("orders")
    )
    assert len(made.gaps) == 1
    assert [row.taken for row in made.rows] == [None]


def test_flows_may_share_the_topics() -> None:
    flows = fact_of(
        "mirror_connector", [FLOW | {"topics": ["orders"]}, FLOW | {"connector": "b", "topics": ["clicks"]}]
    )
    rows = seen(mirror_choice, connector=flows, topic=topics("orders", "clicks", "views"))
    assert [(row["topic"], row["taken"], row["flows"]) for row in rows] == [
        ("orders", True, ["eu-us"]),
        ("clicks", True, ["b"]),
        ("views", False, []),
    ]


def test_where_nothing_copies_nothing_is_chosen() -> None:
    assert seen(mirror_choice, connector=fact_of("mirror_connector", []), topic=topics("orders")) == []


def test_flows_of_one_name_in_two_files_are_two() -> None:
    flows = fact_of("mirror_connector", [FLOW | {"topics": ["orders"]}, FLOW | {"topics": ["clicks"]}])
    assert [row["taken"] for row in seen(mirror_choice, connector=flows, topic=topics("orders", "clicks"))] == [
        True,
        True,
    ]
