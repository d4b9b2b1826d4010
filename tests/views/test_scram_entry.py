import pytest

from runbook.model.fact import Fact, Gap, tabulate
from runbook.views.scram_entry import VIEW, compute

LISTENERS = {"mechanisms": [["SCRAM-SHA-512", "PLAIN"], [], ["SCRAM-SHA-256"]], "for_controllers": [False, False, True]}


def users(**mechanisms: str) -> dict[str, list[str]]:
    return {
        "user": [*mechanisms],
        "principal": [f"User:{name}" for name in mechanisms],
        "mechanism": [*mechanisms.values()],
    }


@pytest.mark.parametrize(
    ("gaps", "opens"),
    [([], {"alice": True, "bob": False}), ([Gap("broker 3 did not answer")], {"alice": True, "bob": None})],
)
def test_a_user_comes_in_by_a_mechanism_that_a_listener_of_a_broker_offers(
    gaps: list[Gap], opens: dict[str, bool | None]
) -> None:
    login = Fact("kafka_scram_user", users(alice="SCRAM-SHA-512", bob="SCRAM-SHA-256"))
    found = compute(login=login, listener=Fact("kafka_listener", LISTENERS, gaps))
    rows = tabulate("scram_entry", VIEW.columns, found).rows()
    assert {row["user"]: row["opens"] for row in rows} == opens


def test_two_passwords_are_one_user_who_needs_one_of_them() -> None:
    login = Fact(
        "kafka_scram_user",
        {"user": ["bob"] * 2, "principal": ["User:bob"] * 2, "mechanism": ["SCRAM-SHA-256", "SCRAM-SHA-512"]},
    )
    rows = tabulate(
        "scram_entry", VIEW.columns, compute(login=login, listener=Fact("kafka_listener", LISTENERS))
    ).rows()
    assert [(row["mechanisms"], row["offered"], row["opens"]) for row in rows] == [
        (["SCRAM-SHA-256", "SCRAM-SHA-512"], ["SCRAM-SHA-512"], True)
    ]
