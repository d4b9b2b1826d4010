from runbook.model.fact import Fact, Gap
from runbook.views.named_broker import NamedBroker, compute

BROKERS = Fact(
    "kafka_broker", {"broker": [1, 2, 3], "unregistered": [False, False, True], "fenced": [False, True, None]}
)


def test_one_in_service_one_that_is_fenced_and_one_that_only_replica_lists_name() -> None:
    assert compute(broker=BROKERS, ids=["1", "2", "3"]).rows == [
        NamedBroker(id="1", registered=True, fenced=False),
        NamedBroker(id="2", registered=True, fenced=True),
        NamedBroker(id="3", registered=False, fenced=None),
    ]


def test_one_that_may_be_hidden_is_unknown() -> None:
    hidden = Fact("kafka_broker", BROKERS.columns, gaps=[Gap("timed out")])
    assert compute(broker=hidden, ids=["7"]).rows == [NamedBroker(id="7", registered=None, fenced=None)]


def test_without_a_name_there_is_one_row_of_no_broker() -> None:
    assert compute(broker=BROKERS).rows == [NamedBroker(id="", registered=False, fenced=None)]


def test_one_that_is_named_twice_is_one_row() -> None:
    assert len(compute(broker=BROKERS, ids=["1", "1"]).rows) == 1
