import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.model.reach import dark


def fact(*reasons: str, rows: int = 0) -> Fact:
    return Fact("kafka_broker", {"broker": [*range(rows)]}, [from_sentence(reason) for reason in reasons])


@pytest.mark.parametrize(
    "reason",
    [
        "no bootstrap server answers: kafka-1:9092 can't be reached: connection refused",
        "kafka-1:9092 can't be reached: its name does not resolve",
        "kafka-1:9092 did not answer within 3 s",
        "it had not answered by the deadline",
    ],
)
def test_where_nothing_answered_it_is_dark(reason: str) -> None:
    assert dark(fact(reason))
    assert dark(fact(reason, "kafka-2:9092 did not answer within 3 s"))


@pytest.mark.parametrize(
    "reasons",
    [
        [],
        ["the inventory gives no kafka connection for prod"],
        ["kafka-1:9092 does not let us look: a login is refused"],
        ["kafka-1:9092 can't be reached: refused", "kafka-2:9092 does not let us look: a login is refused"],
        ["kafka-1:9092 did not answer in Kafka's protocol: it answered HTTP/1.1 400"],
    ],
)
def test_what_answered_somehow_or_was_not_asked_is_not_dark(reasons: list[str]) -> None:
    assert not dark(fact(*reasons))


def test_what_gave_rows_is_not_dark_whatever_else_was_out_of_reach() -> None:
    assert not dark(fact("kafka-2:9092 can't be reached: connection refused", rows=1))
