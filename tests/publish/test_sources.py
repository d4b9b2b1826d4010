"""What a block cites is a link where it names a proposal, an issue or a standard."""

import re

import pytest

from runbook.publish.sources import TITLES, cited

WIKI = "https://cwiki.apache.org/confluence/display/KAFKA/"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("KIP-966: eligible leaders", f"{WIKI}KIP-966%3A+Eligible+Leader+Replicas", "KIP-966"),
        ("by KIP-98.", f"{WIKI}KIP-98+-+Exactly+Once+Delivery+and+Transactional+Messaging", "KIP-98"),
        ("KIP-99999, not known here", f"{WIKI}Kafka+Improvement+Proposals", "KIP-99999"),
        ("KAFKA-15583 (3.7)", "https://issues.apache.org/jira/browse/KAFKA-15583", "KAFKA-15583"),
        ("RFC 5905: clocks", "https://www.rfc-editor.org/rfc/rfc5905", "RFC 5905"),
        ("JEP 248: G1", "https://openjdk.org/jeps/248", "JEP 248"),
        ("see <https://a.example/x?y=1>.", "https://a.example/x?y=1", "https://a.example/x?y=1"),
        ("[KIP-98](https://a.example/b)", "https://a.example/b", "KIP-98"),
    ],
)
def test_a_reference_is_a_link(text: str, place: str, words: str) -> None:
    assert re.findall(r'<a href="([^"]*)">(.*?)</a>', cited(text)) == [(place, words)]


def test_what_is_hostile_stays_inert() -> None:
    html = cited("<img src=x> KIP-1x https://a.example/\"onload='b")
    assert html == "&lt;img src=x&gt; KIP-1x https://a.example/&quot;onload='b"


def test_each_proposal_has_one_title() -> None:
    numbers = [int(re.split(r"\D", line.removeprefix("KIP-"))[0]) for line in TITLES.read_text("utf-8").splitlines()]
    assert numbers == sorted({*numbers})
