"""Results in a Kafka topic: one message per line of a run's file, all of a run under one key.

    kafka://broker:9092,other:9092/topic[?properties=FILE]

Lines of a run have the key `ENVIRONMENT/RUN`, snapshots of what is expected `expected/RUN`. The topic must exist and
must not be compacted, as all lines of a run share their key. Nothing else of that cluster is written, and no consumer
group is kept.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from runbook.model.errors import Misconfigured, UsageError
from runbook.parse.allowed import require_allowed
from runbook.run.sources.secret_references import resolve
from runbook.stores.kafka_topic.client_settings import properties_file
from runbook.stores.kafka_topic.topic import Topic

SCHEMES: Final = ("kafka",)

_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")  # what Kafka allows
_USAGE: Final = "write kafka://broker:9092/topic"


def open_store(where: str, settings: Mapping[str, Any]) -> Topic:
    """Prepare a store in a topic; nothing is sent yet.

    Args:
        where: the address.
        settings: of librdkafka's clients, secrets as references; they go before those of the address's file.

    Raises:
        UsageError: the address or a setting can't be used.
    """
    parts = urlsplit(where)
    topic = unquote(parts.path.strip("/"))
    if "@" in parts.netloc:
        raise UsageError(f"an address holds no user or password: {_USAGE}, and the rest in results: settings:")
    if not parts.netloc or not _TOPIC.fullmatch(topic) or topic in (".", ".."):
        raise UsageError(f"{where} names no broker and topic: {_USAGE}")
    asked = parse_qs(parts.query, keep_blank_values=True)
    if unknown := sorted(asked.keys() - {"properties"}):
        known = "only ?properties=FILE, and settings in the inventory"
        raise UsageError(f"kafka://{parts.netloc}/{topic}: no {unknown[0]} here; {known}")
    try:
        of_file = properties_file(asked["properties"][-1]) if "properties" in asked else {}
        given = {**of_file, **settings}
        require_allowed("kafka", given)
        resolved, redaction = resolve(given)
    except Misconfigured as error:
        raise UsageError(f"{parts.netloc}/{topic}: {error}") from error
    name = f"kafka://{parts.netloc}/{topic}"
    return Topic(name, topic, {**resolved, "bootstrap.servers": parts.netloc}, redaction)
