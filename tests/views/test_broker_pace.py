from typing import Any

from runbook.model.fact import tabulate
from runbook.views.broker_pace import VIEW, compute
from support.kafka_facts import latencies


def by_broker(*took: int | None, down: tuple[int, ...] = ()) -> dict[int, dict[str, Any]]:
    made = compute(latency=latencies(*took, down=down))
    return {row["broker"]: row for row in tabulate("broker_pace", VIEW.columns, made).rows()}


def test_each_broker_stands_beside_the_quickest() -> None:
    assert by_broker(3000, 10, 20)[1] == {"broker": 1, "answering": 3, "quickest_ms": 10}


def test_who_does_not_answer_is_left_out() -> None:
    found = by_broker(3000, None, 20, down=(2,))
    assert (found.keys(), found[1]["answering"], found[1]["quickest_ms"]) == ({1, 3}, 2, 20)


def test_a_pace_that_is_not_known_may_be_the_quickest() -> None:
    assert by_broker(3000, None, 20)[1]["quickest_ms"] is None
