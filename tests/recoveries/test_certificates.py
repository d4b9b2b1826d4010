from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.model.old_gaps import from_sentence
from runbook.model.recovery import Recovery, changed
from runbook.recoveries import (
    acls_granted,
    certificate_names_host,
    certificate_renewed,
    certificate_trusted,
)
from support.kafka_facts import fact, situation

BEHIND = from_sentence("broker 2 (h:1) can't be reached over TLS: Handshake failed", {"broker": 2})
ANOTHER = from_sentence("broker 3 (h:11) can't be reached over TLS: Handshake failed", {"broker": 3})
GIVEN = situation({"endpoints": ["h:1"]})


def certificates(at: str = "2026-11-24T10:00:00.000Z") -> Fact:
    cells: dict[str, Any] = {"not_before": "2026-01-01T00:00:00.000Z", "not_after": "2026-01-31T00:00:00.000Z"}
    cells |= {"host": "h", "names": ["other"], "names_match": False, "self_signed": True}
    places = (("h:1", 0), ("h:1", 1), ("h:11", 0))
    seen = fact("tls_certificate", [{"endpoint": e, "position": n, **cells} for e, n in places], BEHIND, ANOTHER)
    seen = changed(seen, {}, seen.gaps)
    return Fact(seen.source, seen.columns, seen.gaps, collected_at=at)


def made(recovery: Recovery, seen: Fact) -> Fact:
    return recovery.sets[seen.source](seen, GIVEN)


def test_a_renewed_certificate_holds_as_long_as_the_old_one_did_and_others_of_the_chain_stay() -> None:
    renewed = made(certificate_renewed.RECOVERY, certificates())
    assert renewed.columns["not_before"] == ["2026-11-24T09:00:00.000Z", *["2026-01-01T00:00:00.000Z"] * 2]
    assert renewed.columns["not_after"] == ["2026-12-24T09:00:00.000Z", *["2026-01-31T00:00:00.000Z"] * 2]
    assert renewed.columns["names_match"] == [False] * 3


def test_of_a_look_without_a_moment_it_is_not_known_when_a_renewed_one_ends() -> None:
    assert made(certificate_renewed.RECOVERY, certificates(at="")).columns["not_after"][0] is None


def test_a_certificate_for_its_host_has_the_name_beside_those_it_had() -> None:
    named = made(certificate_names_host.RECOVERY, certificates())
    assert (named.columns["names"][0], named.columns["names_match"]) == (["other", "h"], [True, False, False])
    assert named.columns["not_after"] == certificates().columns["not_after"]


def test_an_endpoint_that_is_trusted_shows_a_certificate_of_which_the_rest_was_never_seen() -> None:
    seen = fact(
        "tls_endpoint", [{"endpoint": e, "trusted": False, "distrust": "why", "shown": 1} for e in ("h:1", "h:11")]
    )
    trusted = made(certificate_trusted.RECOVERY, seen)
    assert (trusted.columns["trusted"], trusted.columns["distrust"]) == ([True, False], ["", "why"])
    shown = made(certificate_trusted.RECOVERY, certificates())
    assert (shown.columns["self_signed"], shown.columns["not_after"][0]) == ([False, True, True], None)


@pytest.mark.parametrize(
    "recovery",
    [certificate_renewed.RECOVERY, certificate_trusted.RECOVERY, certificate_names_host.RECOVERY],
)
def test_what_lies_behind_an_endpoint_with_a_bad_certificate_was_never_seen(recovery: Recovery) -> None:
    gaps = made(recovery, certificates()).gaps
    assert [gap.withheld for gap in gaps] == [True, False]
    assert [recovery.accounts_for(gap, GIVEN) for gap in (BEHIND, ANOTHER)] == [True, False]


def test_a_right_that_is_given_is_one_acl_more_and_what_nobody_understands_is_none() -> None:
    seen = fact("kafka_acl", [{"principal": "User:b", "permission": "Deny"}])
    given = situation({"rights": ["User:a Write Topic orders", "not understood"]})
    made = list(acls_granted.RECOVERY.sets["kafka_acl"](seen, given).rows())
    assert made[0] == dict.fromkeys(seen.columns) | {"principal": "User:b", "permission": "Deny"}
    assert made[1:] == [
        {
            "principal": "User:a",
            "host": "*",
            "operation": "Write",
            "permission": "Allow",
            "resource_type": "Topic",
            "resource": "orders",
            "pattern": "Literal",
        }
    ]
