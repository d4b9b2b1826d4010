import pytest

from support.zookeeper_servers import Played


@pytest.mark.parametrize("admin", [False, True])
def test_sessions_are_told_and_questions_are_not(admin: bool):  # noqa: FBT001 - a parameter of the test
    played = Played("healthy", admin=admin)
    fact = played.observe("zookeeper_client")
    assert fact.complete
    rows = list(fact.rows())
    recorded = [name for name, answers in played.answers.items() for _ in range(answers["cons"].count("sid="))]
    assert sorted(row["server"] for row in rows) == recorded
    assert len(recorded) == 3  # one for each broker
    assert {(row["host"], row["session_timeout"]) for row in rows} == {("127.0.0.1", 18000)}


def test_a_server_that_does_not_allow_the_word_is_a_gap():
    played = Played("healthy")
    played.forbid("cons")
    fact = played.observe("zookeeper_client")
    assert len(fact) == 0
    assert len(fact.gaps) == 3
