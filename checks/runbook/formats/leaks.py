"""What gives a credential or the number of a payment card in a log away, by what stands around it.

The patterns mean the same to Python and to `grep -P`. They prefer to miss one over crying wolf: Kafka's own
`ssl.key.password = null` and `[hidden]` are none, nor is a sentence with the word password in it.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

_NO_VALUE = r"(?!null\b|none\b|true\b|false\b|\[|<|\*|\$|\(|\{|«)"

KINDS: Final = {
    "password": (
        r"(?:passwo?r?d|client.?secret|api.?key)[\"']?\s*(?:=\s*[\"']?|:\s*[\"'])" + _NO_VALUE + r"[^\s\"',;]{4,}"
    ),
    "private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "login in an address": r"\b[a-z][a-z0-9+.-]*://[^/\s:@]+:" + _NO_VALUE + r"[^/\s@]+@",
    "authorization header": r"authorization[\"']?\s*[=:]\s*[\"']?(?:basic|bearer)\s+"
    + _NO_VALUE
    + "[a-z0-9._~+/=-]{8,}",
    "card number": r"\b(?:4\d{3}|5[1-5]\d{2}|2[2-7]\d{2})[ -]\d{4}[ -]\d{4}[ -]\d{4}\b",
}
"""Kind -> pattern. Card numbers are seen only in groups of four: sixteen digits in a row are offsets more often."""

ANY: Final = "(?i)" + "|".join(KINDS.values())
"""One pattern for all of them."""

_EACH = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in KINDS.items()}


class Leaks(Struct, frozen=True):
    """What was counted in a log.

    Attributes:
        lines: lines that are not empty.
        leaking: those of them that give something away.
        kinds: what they give away, of KINDS.
    """

    lines: int
    leaking: int
    kinds: list[str]


def count(lines: Iterable[str]) -> Leaks:
    """Count lines that are not empty, those of them that give something away, and say what kinds these are."""
    seen = leaking = 0
    kinds: set[str] = set()
    for line in lines:
        if not line.strip():
            continue
        seen += 1
        found = {kind for kind, pattern in _EACH.items() if pattern.search(line)}
        leaking += bool(found)
        kinds |= found
    return Leaks(lines=seen, leaking=leaking, kinds=sorted(kinds))
