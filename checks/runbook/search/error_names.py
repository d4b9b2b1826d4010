"""Kafka's error codes, classes of exceptions and messages, by the names under which runbooks speak of them.

`error_names.tsv` holds code, name, class and message of each, as `org.apache.kafka.common.protocol.Errors` of
kafka-clients 4.3.0 has them, and the messages of librdkafka 2.16 (`rd_kafka_err2str`) and of sarama (`KError.Error`).
Clients log one of these, whichever language they are written in.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

TABLE: Final = Path(__file__).with_suffix(".tsv")
# The end of a process has a code of its own: exit code 137.
_CODE: Final = re.compile(r"(?<!exit )(?<!status )\b(?:error[ _-]?)?code\W{0,3}(\d{1,3})\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-Z][A-Z_]+[A-Z]\b")
_SARAMA: Final = "kafka server: "  # before each of its messages
_PLAIN: Final = re.compile(r"[A-Z][a-z]+Exception")  # TimeoutException: of what, the rest of the line says


class ErrorName(Struct, frozen=True):
    """An error of Kafka's protocol: how clients speak of it, in small letters, and its name."""

    code: str
    name: str
    exception: str
    messages: tuple[str, ...]

    def is_said(self, text: str) -> bool:
        """Whether its class or one of its messages, as a whole sentence, stands in a text of small letters."""
        if self.exception and re.search(rf"\b{self.exception}\b", text):
            return True
        places = ((text.find(message), len(message)) for message in self.messages)
        return any(at >= 0 and text[at + length :][:1] in ("", ".", "'", '"', ")") for at, length in places)


@cache
def error_names() -> tuple[ErrorName, ...]:
    """All errors of the table; of a message its first sentence."""
    rows = (line.split("\t") for line in TABLE.read_text("utf-8").splitlines())
    return tuple(
        ErrorName(
            code, name, "" if _PLAIN.fullmatch(exception) else exception.lower(), tuple(_first_sentences(messages))
        )
        for code, name, exception, *messages in rows
    )


def _first_sentences(messages: Sequence[str]) -> Iterator[str]:
    for message in filter(None, messages):
        yield message.removeprefix(_SARAMA).partition(". ")[0].rstrip(".").lower()


def with_names(text: str) -> str:
    """A text with the name of each error behind what stands for it: a code, a class or a message."""
    text = _CODE.sub(_with_name, text)
    small = text.lower()
    said = [known.name for known in error_names() if known.name not in text and known.is_said(small)]
    return " ".join([text, *said])


def messages_of(text: str) -> str:
    """The messages of the errors that a text names, to be found by a part of one."""
    named = {*_NAME.findall(text)}
    return " ".join(known.messages[0] for known in error_names() if known.name in named)


def _with_name(found: re.Match[str]) -> str:
    name = next((known.name for known in error_names() if known.code == found[1]), "")
    return f"{found[0]} {name}" if name else found[0]
