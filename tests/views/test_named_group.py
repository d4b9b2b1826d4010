from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.views.named_group import NamedGroup, compute

_THERE = Fact(
    "kafka_group",
    {"group": ["shop", "billing"], "state": ["empty", "stable"], "members": [0, 2], "assignor": ["", "range"]},
)


def test_the_group_is_found_among_others():
    assert compute(groups=_THERE, group="billing").rows == [
        NamedGroup(group="billing", there=True, state="stable", members=2, assignor="range")
    ]


def test_what_is_not_known_of_it_stays_so():
    untold = replace(_THERE, columns=_THERE.columns | {key: [None, None] for key in ("state", "members", "assignor")})
    assert compute(groups=untold, group="shop").rows == [
        NamedGroup(group="shop", there=True, state=None, members=None, assignor=None)
    ]


def test_one_that_is_not_there_is_told_and_one_that_may_be_hidden_is_unknown():
    assert compute(groups=_THERE, group="biling").rows == [
        NamedGroup(group="biling", there=False, state="", members=0, assignor="")
    ]
    hidden = replace(_THERE, gaps=[Gap("groups may be hidden")])
    assert compute(groups=hidden, group="biling").rows == [
        NamedGroup(group="biling", there=None, state=None, members=None, assignor=None)
    ]


def test_without_a_name_nothing_is_said():
    assert compute(groups=_THERE).rows == []
