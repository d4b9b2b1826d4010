from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.model.quantity import BrokerId, Bytes
from runbook.views.named_broker_process import NamedBrokerProcess, compute

_PROCESS = Fact(
    "host_process",
    {
        "broker": [1, 2, 2],
        "kind": ["broker", "controller", "broker"],
        "collector": ["g1", "serial", "zgc"],
        "heap_min": [1, 2, 3],
        "heap_max": [4, 5, 6],
    },
)


def test_the_process_of_the_broker_is_found_among_others() -> None:
    found = NamedBrokerProcess(broker=BrokerId(2), there=True, collector="zgc", heap_min=Bytes(3), heap_max=Bytes(6))
    assert compute(process=_PROCESS, broker=2).rows == [found]


def test_one_that_is_not_there_is_told_and_one_that_may_be_hidden_is_unknown() -> None:
    gone = NamedBrokerProcess(broker=BrokerId(3), there=False, collector=None, heap_min=None, heap_max=None)
    assert compute(process=_PROCESS, broker=3).rows == [gone]
    hidden = replace(_PROCESS, gaps=[Gap("kafka-3: connection refused")])
    assert compute(process=hidden, broker=3).rows == [replace(gone, there=None)]


def test_without_a_name_there_is_none() -> None:
    assert compute(process=_PROCESS).rows == [
        NamedBrokerProcess(broker=BrokerId(-1), there=False, collector=None, heap_min=None, heap_max=None)
    ]
