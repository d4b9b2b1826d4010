import pytest

from runbook.search.error_names import error_names, messages_of, with_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("produce failed, error code 19", "NOT_ENOUGH_REPLICAS"),
        ("errorCode=27", "REBALANCE_IN_PROGRESS"),
        ("o.a.k.c.e.InvalidPidMappingException", "INVALID_PRODUCER_ID_MAPPING"),
        ("WARN The coordinator is not aware of this member.", "UNKNOWN_MEMBER_ID"),
        ("'The group id is invalid'", "INVALID_GROUP_ID"),
        ('str="Broker: Coordinator not available"', "COORDINATOR_NOT_AVAILABLE"),  # librdkafka
        ("kafka server: Message was too large, server rejected it to avoid allocation error", "MESSAGE_TOO_LARGE"),
    ],
)
def test_a_code_a_class_or_a_message_has_a_name(text: str, names: str):
    assert names in with_names(text).split()


@pytest.mark.parametrize(
    "text",
    [
        "exit code 19",
        "error code: 40401",
        "the group id is invalid for another reason",  # the message goes on: it is another
        "org.apache.kafka.common.errors.TimeoutException",  # which says nothing: the rest of the line does
        "UNKNOWN_MEMBER_ID: The coordinator is not aware of this member.",  # named already
    ],
)
def test_other_numbers_and_sentences_are_left_alone(text: str):
    assert with_names(text) == text


def test_a_part_of_a_message_is_found_through_its_name():
    assert "another concurrent operation" in messages_of("CONCURRENT_TRANSACTIONS")
    assert messages_of("no name at all") == ""


def test_every_error_of_the_protocol_is_in_the_table():
    names = error_names()
    assert len({known.name for known in names}) == len(names) > 130
    assert {known.code for known in names} >= {str(code) for code in range(1, 130)} - {"0"}
