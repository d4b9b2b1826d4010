import pytest

from runbook.search.names_in_text import principal_in, topics_in


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        (
            "TimeoutException: Topic paymnets-eu not present in metadata after 60000 ms.",
            ["paymnets-eu"],
        ),
        (
            "correlation id 12 : {db.customers=UNKNOWN_TOPIC_OR_PARTITION, orders=LEADER_NOT_AVAILABLE}",
            ["db.customers", "orders"],
        ),
        ("%4|PARTCNT: Subscribed topic not available: ordres: Broker: Unknown topic or partition", ["ordres"]),
        ("ordres [0]: Broker: Unknown topic or partition", ["ordres"]),
        (
            "IllegalStateException: Topic(s) [orders, ordres] is/are not present and missingTopicsFatal is true",
            ["orders", "ordres"],
        ),
        ("Topic ordres not found in cluster metadata", ["ordres"]),
        ("This server does not host this topic-partition.", []),
        ("Not authorized to access topics: [orders]", []),
    ],
)
def test_topics_that_a_text_says_are_unknown(text: str, topics: list[str]):
    assert topics_in(text) == topics


@pytest.mark.parametrize(
    ("text", "principal"),
    [
        (
            "Principal = User:billing.prod is Denied operation = READ from host = 10.0.0.7 on resource",
            "User:billing.prod",
        ),
        (
            "Principal = User:CN=billing,OU=the shop is Denied Operation = Read from host = 10.0.0.7",
            "User:CN=billing,OU=the shop",
        ),
        ("Principal = User:billing is Allowed operation = READ", ""),
    ],
)
def test_the_principal_that_was_denied(text: str, principal: str):
    assert principal_in(text) == principal
