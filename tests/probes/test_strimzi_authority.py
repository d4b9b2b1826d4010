import pytest

from runbook.model.errors import Denied
from support.recorded_kubernetes import Played
from support.strimzi_declared import AUTHORITY
from support.strimzi_played import KAFKAS, platform

ENDS = "2100-11-02T10:10:50.000Z"


def test_each_listener_with_tls_has_a_row() -> None:
    rows = [*platform().observe("strimzi_authority").rows()]
    assert [(row["kafka"], row["listener"], row["ends"]) for row in rows] == [
        ("orders", "tls", ENDS),
        ("orders", "outside", ENDS),
    ]
    assert {(row["own"], row["renewal_days"]) for row in rows} == {(True, 30)}


def test_what_the_operator_does_not_show_is_unknown() -> None:
    played = platform()
    del played.item(KAFKAS, "orders")["status"]["listeners"]
    assert played.observe("strimzi_authority").columns["ends"] == [None, None]


def test_a_certificate_that_somebody_gives_is_not_the_operators() -> None:
    played = platform()
    spec = played.item(KAFKAS, "orders")["spec"]
    spec["kafka"]["listeners"][0]["configuration"] = {"brokerCertChainAndKey": {"secretName": "ours"}}
    spec["clusterCa"] = {"renewalDays": 5}
    fact = played.observe("strimzi_authority")
    assert (fact.columns["own"], fact.columns["renewal_days"]) == ([False, True], [5, 5])


def test_of_several_certificates_the_one_that_holds_longest_counts() -> None:
    played = platform()
    told = played.item(KAFKAS, "orders")["status"]["listeners"]
    told[0]["certificates"] = [f"{AUTHORITY}\n{AUTHORITY}", AUTHORITY]
    assert played.observe("strimzi_authority").columns["ends"] == [ENDS, ENDS]


def test_a_certificate_that_is_none_is_a_gap() -> None:
    played = platform()
    told = played.item(KAFKAS, "orders")["status"]["listeners"]
    told[0]["certificates"] = ["-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
    fact = played.observe("strimzi_authority")
    assert not fact.complete
    assert "orders is not judged" in fact.gaps[0].reason


def test_without_strimzi_it_has_no_meaning() -> None:
    assert Played("healthy").observe("strimzi_authority").inapplicable


def test_a_list_that_is_refused_is_not_empty() -> None:
    played = platform()
    played.statuses[KAFKAS] = 403
    with pytest.raises(Denied):
        played.observe("strimzi_authority")
