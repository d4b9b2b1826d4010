from typing import Any

from runbook.model.fact import Gap
from runbook.views import scram_password
from support.mirror_facts import fact_of, seen

ROWS = [
    {"user": "shop", "mechanism": "SCRAM-SHA-256", "iterations": 4096},
    {"user": "shop", "mechanism": "SCRAM-SHA-512", "iterations": 8192},
    {"user": "till", "mechanism": "SCRAM-SHA-512", "iterations": 16384},
]


def rows(*given: dict[str, Any], user: str, gaps: tuple[Gap, ...] = ()) -> list[tuple[Any, ...]]:
    made = seen(scram_password, login=fact_of("kafka_scram_user", given, gaps), user=user)
    return [(row["user"], row["mechanism"], row["iterations"], row["trouble"]) for row in made]


def test_every_password_of_the_user_is_there_and_nobody_elses() -> None:
    assert rows(*ROWS, user="shop") == [
        ("shop", "SCRAM-SHA-256", 4096, ""),
        ("shop", "SCRAM-SHA-512", 8192, ""),
    ]


def test_a_user_without_a_password_is_not_known_rather_than_fine() -> None:
    assert rows(*ROWS, user="shpo") == [("shpo", "", None, "no user of this name has a SCRAM password")]
    assert rows(*ROWS, user="") == [("", "", None, "no user was named")]


def test_a_user_whose_name_is_not_told_may_be_the_one() -> None:
    nameless = {"mechanism": "SCRAM-SHA-256", "iterations": 8192}
    assert rows(*ROWS[1:], nameless, user="shop") == [
        ("shop", "SCRAM-SHA-512", 8192, ""),
        ("shop", "SCRAM-SHA-256", None, "a user's name is not known"),
    ]
