from itertools import permutations

import pytest

from runbook.model.block import OBJECTIVES, Objective
from runbook.model.objective import DEFAULT, Ranking, TopicRanking, prevails
from support.small_runbooks import ROWS, compiled

pytestmark = pytest.mark.usefixtures("fakes")
BODY = ROWS + "expect: {each: row, that: row.ok}"


def test_the_first_topic_pattern_that_matches_wins() -> None:
    ranking = Ranking(["durability"], [TopicRanking("log.*", ["availability"]), TopicRanking("log.audit", ["latency"])])
    assert ranking.of("log.audit") == ("availability",)
    assert ranking.of("orders") == ("durability",)


def test_topic_patterns_mind_upper_case() -> None:
    assert Ranking(["durability"], [TopicRanking("LOG", ["latency"])]).of("log") == ("durability",)


def test_where_nothing_is_ranked_acknowledged_data_comes_first() -> None:
    assert Ranking().of("any") == DEFAULT
    assert DEFAULT[0] == "durability"


def test_a_check_that_contradicts_nothing_always_applies() -> None:
    check = compiled(BODY, objectives="[latency]").check
    assert all(prevails(check, order) for order in permutations(OBJECTIVES))


def test_a_check_prevails_where_its_own_objective_stands_above_all_it_contradicts() -> None:
    check = compiled(BODY, objectives="[availability]", against="[durability, latency]").check
    for order in permutations(OBJECTIVES):
        expected = order.index("availability") < min(order.index("durability"), order.index("latency"))
        assert prevails(check, order) is expected


@pytest.mark.parametrize(
    ("ranking", "expected"), [(["availability"], True), (["durability"], False), ([], False), (["latency"], False)]
)
def test_what_is_not_ranked_stands_below_all_that_is(ranking: list[Objective], *, expected: bool) -> None:
    check = compiled(BODY, objectives="[availability]", against="[durability]").check
    assert prevails(check, ranking) is expected
