"""Names that stand in an error text or a line of a log, where its form says what they name."""

import re
from collections.abc import Iterator
from typing import Final

_NAME: Final = r"[\w.-]+"  # Topic.validate of kafka-clients: letters, digits, '.', '_' and '-'
_UNKNOWN: Final = "UNKNOWN_TOPIC_OR_PARTITION|LEADER_NOT_AVAILABLE|UNKNOWN_TOPIC_ID"
_FORMS: Final = (
    # kafka-clients: KafkaProducer.waitOnMetadata; kafka-python; franz-go
    re.compile(rf"\btopic '?({_NAME})'? (?:not present|not found|is not present|does not exist)", re.IGNORECASE),
    # kafka-clients, NetworkClient: Error while fetching metadata with correlation id 12 : {orders=…}
    re.compile(rf"({_NAME})=(?:{_UNKNOWN})"),
    # librdkafka: Subscribed topic not available: orders: Broker: Unknown topic or partition
    re.compile(rf"topic not available: ({_NAME}): "),
    # librdkafka: orders [0]: … Unknown topic or partition
    re.compile(rf"({_NAME}) \[\d+\][^\[\]]*Unknown (?:topic|partition)"),
    # Spring for Apache Kafka: Topic(s) [orders, clicks] is/are not present
    re.compile(r"Topic\(s\) \[([^\]]+)\] is/are not present"),
)

# kafka.authorizer.logger: Principal = User:CN=billing,OU=shop is Denied operation = READ from host = …
_DENIED: Final = re.compile(r"Principal = (\S+:.+?) is Denied", re.IGNORECASE)


def principal_in(text: str) -> str:
    """The principal that an authorizer's line says was denied; empty where no such line is there."""
    found = _DENIED.search(text)
    return found.group(1) if found else ""


def topics_in(text: str) -> list[str]:
    """Topics that a text says are unknown, in the order in which it names them; none where no form is known."""
    return list(dict.fromkeys(_topics_in(text)))


def _topics_in(text: str) -> Iterator[str]:
    for form in _FORMS:
        for found in form.findall(text):
            yield from (name for name in re.split(r"[,\s]+", found) if name)
