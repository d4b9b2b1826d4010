"""What confluent-kafka names by enumerations of its own, in Kafka's words."""

from typing import Any, Final

from runbook.connections.kafka.answers import Setting

_SOURCES: Final = {
    0: "UNKNOWN_CONFIG",
    1: "DYNAMIC_TOPIC_CONFIG",
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    8: "GROUP_CONFIG",
}


def setting(entry: Any) -> Setting:
    """One setting in force."""
    return Setting(entry.value, _SOURCES.get(entry.source, str(entry.source)), entry.is_sensitive, entry.is_read_only)


def in_a_word(value: Any) -> str:
    """A name in small letters."""
    return str(value.name).lower()


def in_kafkas_words(value: Any) -> str:
    """A name as Kafka writes it: DESCRIBE_CONFIGS is DescribeConfigs."""
    return "".join(part.capitalize() for part in str(value.name).split("_"))
