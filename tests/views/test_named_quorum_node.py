from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.model.quantity import ControllerId, Milliseconds
from runbook.views.named_quorum_node import NamedQuorumNode, compute

_QUORUM = Fact(
    "kafka_quorum",
    {"node": [1, 4], "voter": [True, False], "lag": [0, 7], "last_caught_up_ms": [0, 12]},
)


def test_the_node_is_found_among_others() -> None:
    assert compute(quorum=_QUORUM, node=4).rows == [
        NamedQuorumNode(node=ControllerId(4), there=True, voter=False, lag=7, last_caught_up_ms=Milliseconds(12))
    ]


def test_one_that_is_not_there_is_told_and_one_that_may_be_hidden_is_unknown() -> None:
    gone = NamedQuorumNode(node=ControllerId(5), there=False, voter=False, lag=None, last_caught_up_ms=None)
    assert compute(quorum=_QUORUM, node=5).rows == [gone]
    hidden = replace(_QUORUM, gaps=[Gap("the quorum has no leader")])
    assert compute(quorum=hidden, node=5).rows == [replace(gone, there=None, voter=None)]


def test_without_a_name_there_is_none() -> None:
    assert compute(quorum=_QUORUM).rows == [
        NamedQuorumNode(node=ControllerId(-1), there=False, voter=False, lag=None, last_caught_up_ms=None)
    ]
