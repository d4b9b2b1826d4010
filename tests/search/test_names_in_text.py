import pytest

from runbook.search.names_in_text import topics_in


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        (
            "org.apache.kafka.common.errors.TimeoutException: Topic paymnets-eu not present in metadata after 60000 ms.",
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
