from runbook.model.fact import Fact, Gap
from runbook.views.producer_transaction import compute

LATE = "2026-01-01T00:00:00Z"


def producer(*rows: tuple[int, int | None]) -> Fact:
    """Producers of orders-0: id, and where its open transaction begins."""
    many = len(rows)
    return Fact(
        "kafka_producer",
        {
            "topic": ["orders"] * many,
            "partition": [0] * many,
            "producer_id": [row[0] for row in rows],
            "last_time": [LATE] * many,
            "transaction_start": [row[1] for row in rows],
        },
    )


def transaction(*rows: tuple[str, int, list[str] | None], gaps: list[Gap] | None = None) -> Fact:
    columns = {
        "transactional_id": [row[0] for row in rows],
        "producer_id": [row[1] for row in rows],
        "open": [bool(row[2]) for row in rows],
        "partitions": [row[2] for row in rows],
    }
    return Fact("kafka_transaction", columns, gaps or [])


def told(producers: Fact, transactions: Fact) -> list[tuple[str | None, bool | None]]:
    return [(row.transactional_id, row.orphaned) for row in compute(producer=producers, transaction=transactions).rows]


def test_an_open_transaction_is_orphaned_where_no_coordinator_has_it_there() -> None:
    known = transaction(("here", 1, ["orders-0"]), ("elsewhere", 2, ["orders-1"]), ("over", 3, []))
    assert told(producer((1, 20), (2, 20), (3, 20), (4, 20), (5, -1)), known) == [
        ("here", False),
        ("elsewhere", True),
        ("over", True),
        ("", True),
        ("", False),
    ]


def test_what_a_silent_coordinator_may_have_is_not_known() -> None:
    silent = transaction(("here", 1, None), gaps=[Gap("broker 3 did not answer")])
    assert told(producer((1, 20), (4, 20), (5, -1), (1, None)), silent) == [
        ("here", None),
        (None, None),
        (None, False),
        ("here", None),
    ]
