from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.broker_page import VIEW, compute

NAMES = ("job", "instance", "node", "started_ms")


def brokers(*pages: tuple[str, str, int | None, int | None]) -> dict[int, dict[str, Any]]:
    page = Fact("prometheus_broker_page", {name: [each[i] for each in pages] for i, name in enumerate(NAMES)})
    broker = Fact("kafka_broker", {"broker": [1, 2], "answers": [True, True]})
    return {row["broker"]: row for row in tabulate("x", VIEW.columns, compute(page=page, broker=broker)).rows()}


def test_a_target_for_each_broker():
    rows = brokers(("kafka", "b1:9404", 1, 500), ("kafka", "b2:9404", 2, 600), ("kafka", "c9:9404", 9, 700))
    assert {broker: (row["targets"], row["copies"]) for broker, row in rows.items()} == {
        1: (["b1:9404"], []),
        2: (["b2:9404"], []),
    }


def test_one_process_under_two_addresses_is_a_copy_and_another_broker_has_no_target():
    rows = brokers(("kafka", "b1:9404", 1, 500), ("kafka", "alias:9404", 1, 500))
    assert (rows[1]["copies"], rows[2]["targets"]) == (["alias:9404", "b1:9404"], [])


def test_two_jobs_that_scrape_one_process_are_meant():
    rows = brokers(("kafka", "b1:9404", 1, 500), ("kafka-often", "b1.internal:9404", 1, 500))
    assert (rows[1]["targets"], rows[1]["copies"]) == (["b1.internal:9404", "b1:9404"], [])


def test_a_page_that_shows_several_nodes_decides_nothing():
    rows = brokers(("kafka", "b1:9404", 1, 500), ("kafka", "b2:9404", None, None))
    assert (rows[1]["targets"], rows[1]["copies"]) == (None, None)


def test_what_was_not_scraped_may_be_any_broker_that_no_other_target_shows():
    rows = brokers(("kafka", "b1:9404", 1, 500), ("kafka", "b2:9404", -1, -1))
    assert (rows[1]["targets"], rows[2]["targets"], rows[2]["copies"]) == (["b1:9404"], None, None)
