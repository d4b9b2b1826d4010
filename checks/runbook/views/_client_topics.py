"""Which client uses which topics, as a person has written it: [billing=orders*]."""

from runbook.model.errors import Misconfigured


def client_and_topics(entry: str, parameter: str) -> tuple[str, str]:
    """The client of an entry, and its pattern of topics.

    Raises:
        Misconfigured: the entry is not written CLIENT=PATTERN.
    """
    client, _, pattern = (part.strip() for part in entry.partition("="))
    if not (client and pattern):
        raise Misconfigured(f"{parameter}: {entry!r} names no client and topic; write billing=orders*")
    return client, pattern
