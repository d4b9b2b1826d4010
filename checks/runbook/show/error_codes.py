"""Error codes of Kafka's protocol, as some clients log them, by the names under which runbooks speak of them."""

import re
from typing import Final

# The end of a process has a code of its own: exit code 137.
_CODE: Final = re.compile(r"(?<!exit )(?<!status )\b(?:error[ _-]?)?code\W{0,3}(\d{1,3})\b", re.IGNORECASE)


def with_names(text: str) -> str:
    """A text with the name behind each error code that it tells: `error code 19` is NOT_ENOUGH_REPLICAS."""
    return _CODE.sub(_with_name, text)


def _with_name(found: re.Match[str]) -> str:
    from confluent_kafka import KafkaError

    name = KafkaError(int(found[1])).name()
    return found[0] if name.startswith("ERR_") else name
