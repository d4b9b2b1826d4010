from typing import Any

from runbook.model.fact import Gap
from runbook.views import mirrored_quota
from support.mirror_facts import HIDDEN, fact_of, seen

QUOTA = {"who": "user ada", "limit": "producer_byte_rate", "value": 1000.0}


def pairs(*there: dict[str, Any], gaps: tuple[Gap, ...] = ()) -> list[tuple[Any, ...]]:
    rows = seen(mirrored_quota, source=fact_of("kafka_quota", [QUOTA]), target=fact_of("kafka_quota", there, gaps))
    return [(row["present"], row["source_value"], row["value"]) for row in rows]


def test_a_limit_stands_beside_the_same_limit_of_the_other_cluster() -> None:
    assert pairs(QUOTA | {"value": 500.0}) == [(True, 1000.0, 500.0)]


def test_another_limit_or_another_user_is_not_it() -> None:
    assert pairs(QUOTA | {"limit": "consumer_byte_rate"}, QUOTA | {"who": "user bob"}) == [(False, 1000.0, None)]


def test_a_limit_that_may_only_be_hidden_is_not_known_to_be_missing() -> None:
    assert pairs(gaps=HIDDEN) == [(None, 1000.0, None)]
