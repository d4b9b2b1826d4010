"""Kafka's error codes, classes of exceptions and messages, by the names under which runbooks speak of them.

`error_names.tsv` holds code, name, class and message of each, as `org.apache.kafka.common.protocol.Errors` of
kafka-clients 4.3.0 has them; clients log one of the four, whichever language they are written in.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

TABLE: Final = Path(__file__).with_suffix(".tsv")
# The end of a process has a code of its own: exit code 137.
_CODE: Final = re.compile(r"(?<!exit )(?<!status )\b(?:error[ _-]?)?code\W{0,3}(\d{1,3})\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\b[A-Z][A-Z_]+[A-Z]\b")
_PLAIN: Final = re.compile(r"[A-Z][a-z]+Exception")  # TimeoutException: of what, the rest of the line says


class ErrorName(Struct, frozen=True):
    """An error of Kafka's protocol: how clients speak of it, in small letters, and its name."""

    code: str
    name: str
    exception: str
    message: str

    def is_said(self, text: str) -> bool:
        """Whether its class or its message, as a whole sentence, stands in a text of small letters."""
        if self.exception and re.search(rf"\b{self.exception}\b", text):
            return True
        at = text.find(self.message)
        return at >= 0 and text[at + len(self.message) :][:1] in ("", ".", "'", '"', ")")


@cache
def error_names() -> tuple[ErrorName, ...]:
    """All errors of the table; of a message its first sentence."""
    rows = (line.split("\t") for line in TABLE.read_text("utf-8").splitlines())
    return tuple(
        ErrorName(
            code,
            name,
            "" if _PLAIN.fullmatch(exception) else exception.lower(),
            message.partition(". ")[0].rstrip(".").lower(),
        )
        for code, name, exception, message in rows
    )


def with_names(text: str) -> str:
    """A text with the name of each error behind what stands for it: a code, a class or a message."""
    text = _CODE.sub(_with_name, text)
    small = text.lower()
    said = [known.name for known in error_names() if known.name not in text and known.is_said(small)]
    return " ".join([text, *said])


def messages_of(text: str) -> str:
    """The messages of the errors that a text names, to be found by a part of one."""
    named = {*_NAME.findall(text)}
    return " ".join(known.message for known in error_names() if known.name in named)


def _with_name(found: re.Match[str]) -> str:
    name = next((known.name for known in error_names() if known.code == found[1]), "")
    return f"{found[0]} {name}" if name else found[0]
