"""Secrets made to the forms that providers document, and the texts in which they are planted."""

import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

RECORDED = Path(__file__).parents[1] / "safety" / "recorded"
_LETTERS = string.ascii_letters + string.digits
_ALPHABETS = {"a": _LETTERS, "h": "0123456789abcdef", "d": string.digits, "b": _LETTERS + "+/"}
_PLACEHOLDER = re.compile(r"\{([ahdb])([0-9]+)\}")
_SECRET = re.compile(r"<<(.*?)>>")


class Planted(Struct, frozen=True):
    """A text, or a setting with a name, and the secrets in it: the runs of random characters."""

    line: str
    name: str
    text: str
    secrets: tuple[str, ...]

    def leaks_into(self, text: str) -> bool:
        """Whether any of the secrets stands in a text."""
        return any(secret in text for secret in self.secrets)


def planted_settings() -> list[Planted]:
    """Settings with a secret as value; what is random in it, from 6 characters on, is the secret."""
    made = []
    for number, line in enumerate(_lines("planted_settings.txt")):
        _, name, template = line.split(" | ", 2)
        value, parts = _filled(template.replace("\\n", "\n"), number)
        longest = max(map(len, parts))
        made.append(Planted(line, name, value, tuple(part for part in parts if len(part) == longest)))
    return made


def planted_prose() -> list[Planted]:
    """Texts with secrets in them."""
    made = []
    for number, line in enumerate(_lines("planted_prose.txt")):
        text, _ = _filled(line.replace("\\n", "\n"), 1000 + number)
        made.append(Planted(line, "", _SECRET.sub(r"\1", text), tuple(_SECRET.findall(text))))
    return made


def _lines(name: str) -> Iterator[str]:
    return (line for line in (RECORDED / name).read_text().splitlines() if not line.startswith("#"))


def _filled(template: str, seed: int) -> tuple[str, list[str]]:
    chance, parts = random.Random(seed), []

    def fill(found: re.Match[str]) -> str:
        parts.append("".join(chance.choices(_ALPHABETS[found[1]], k=int(found[2]))))
        return parts[-1]

    return _PLACEHOLDER.sub(fill, template), parts
