import pytest

from support.strimzi_played import USERS, platform


def test_a_user_tells_how_it_logs_in_and_that_it_has_rights():
    played = platform()
    played.item(USERS, "billing")["spec"]["quotas"] = {"producerByteRate": 1}
    row = played.row("strimzi_user", user="billing")
    assert (row["kafka"], row["version"], row["authentication"]) == ("orders", "v1", "tls")
    assert (row["authorization"], row["rules"], row["quotas"]) == ("simple", 2, True)
    row = played.row("strimzi_user", user="monitoring")
    assert (row["authentication"], row["rules"], row["quotas"]) == ("scram-sha-512", 1, False)


@pytest.mark.parametrize(("written", "expected"), [("tls-external", "tls"), ("", "")])
def test_certificates_from_elsewhere_are_certificates(written: str, expected: str):
    played = platform()
    played.item(USERS, "billing")["spec"]["authentication"] = {"type": written}
    assert played.row("strimzi_user", user="billing")["authentication"] == expected


def test_one_without_rights_says_so():
    played = platform()
    del played.item(USERS, "billing")["spec"]["authorization"]
    row = played.row("strimzi_user", user="billing")
    assert (row["authorization"], row["rules"]) == ("", 0)


def test_without_its_definition_the_question_has_no_meaning():
    played = platform()
    del played.answers[USERS]
    assert "no kafkausers.kafka.strimzi.io" in played.observe("strimzi_user").inapplicable
