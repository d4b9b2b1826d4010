"""Keep secrets out of text, whatever form they take there: all that leaves a worker passes here.

Two kinds are hidden: secrets that are known because a reference led to them, and those that give themselves away by
what stands around them: `password=…`, `https://user:…@host`, a private key in PEM.
"""

import os
import re
from collections.abc import Iterable
from typing import Any

from runbook.engine.secret import HIDDEN

_SHORTEST = 4  # characters; shorter values would blot out ordinary text. Our judgement
_LOOSE = re.compile(r"[\r\n\\]")
# Between two characters of a secret: a line's end and the next one's indentation, also as JSON writes them, and as many
# backslashes as quoting what was quoted gives. One character at a time, so that no text takes long to refuse.
_GAP = r"(?:[\s\\]|(?<=\\)[nrt])*"


class Redaction:
    """Replaces secrets wherever they show: as they are, quoted, URL-encoded, in base64, or broken over lines."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Redact these, and what gives itself away."""
        forms: set[str] = set()
        for secret in secrets:
            for part in (secret, *secret.splitlines()):
                if len(part.strip()) >= _SHORTEST:
                    forms |= _forms(part.strip())
        self._pattern = re.compile(_any_of(forms)) if forms else None
        self._dense = {"".join(form.replace("\\", "").split()) for form in forms}
        self._over_lines: re.Pattern[str] | None = None

    def text(self, text: str) -> str:
        """The text without secrets."""
        return _without_shapes(self.known(text))

    def known(self, text: str) -> str:
        """The text without the secrets that a reference led to."""
        if self._pattern is None:
            return text
        text = self._pattern.sub(HIDDEN, text)
        return self._broken().sub(HIDDEN, text) if _LOOSE.search(text) else text

    def found_in(self, text: str) -> bool:
        """Whether a text, or JSON of a text, holds a secret."""
        if self._pattern is not None:
            if self._pattern.search(text):
                return True
            if _LOOSE.search(text) and self._broken().search(text):
                return True
        return _has_shape(text)

    def value(self, value: Any) -> Any:
        """A structure of plain values without secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        return value

    def _broken(self) -> re.Pattern[str]:
        """For secrets broken over lines or quoted more than twice; made when a text may hold one."""
        if self._over_lines is None:
            self._over_lines = re.compile(_any_of({form for form in self._dense if len(form) >= _SHORTEST}, _GAP))
        return self._over_lines


def _any_of(words: Iterable[str], gap: str = "") -> str:
    """A pattern for the longest of some words that stands at a place; `gap` may stand between any two characters.

    What words begin with in common is written once, so that a hundred forms cost about as much as one.
    """
    by_first: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        by_first.setdefault(word[:1], []).append(word)
    may_end = bool(by_first.pop("", None))
    branches = []
    for group in by_first.values():
        start = os.path.commonprefix(group)  # noqa: RUF071 - texts, no paths
        rest = _any_of([word[len(start) :] for word in group], gap) if len(group) > 1 else ""
        branches.append(gap.join(map(re.escape, start)) + (gap + rest if rest else ""))
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if may_end else ''}"


def _forms(secret: str) -> set[str]:
    """What a secret may look like in a message, in JSON or in a header."""
    import base64  # noqa: PLC0415 - only where there is a secret
    import html  # noqa: PLC0415 - same
    from urllib.parse import quote, quote_plus  # noqa: PLC0415 - same

    raw = secret.encode("utf-8", "surrogateescape")
    coded = {quote(raw, safe=""), quote(raw), quote_plus(raw)}
    coded |= {re.sub("%..", lambda one: one[0].lower(), form) for form in coded} | {quote(form) for form in coded}
    forms = {secret, repr(secret)[1:-1], html.escape(secret), html.escape(secret, quote=False), raw.hex()} | coded
    for before in range(3):  # as in base64 of "user:secret", where the secret begins anywhere in a group of three bytes
        groups = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        whole = groups[(0, 2, 3)[before] :]
        # The last character of an incomplete group depends on what follows the secret.
        core = whole if (before + len(raw)) % 3 == 0 else whole[:-1]
        for form in (whole, core) if not before else (core,):
            if len(form) >= _SHORTEST:
                forms |= {form, form.replace("+", "-").replace("/", "_"), quote(form, safe="")}
    # Twice: what is JSON already is put into JSON once more when it is sent.
    return _quoted(_quoted(forms))


def _quoted(forms: set[str]) -> set[str]:
    import json  # noqa: PLC0415 - only where there is a secret

    return forms | {json.dumps(form, ensure_ascii=ascii_)[1:-1] for form in forms for ascii_ in (True, False)}


_NAME = r"(?:password|passwd|passphrase|user\.info|(?:client|access|api|secret|private|shared)[._-]?(?:secret|key))"
_OPEN = rf"(?!{HIDDEN}|\\*[\"']?(?:null\b|\$\{{))"  # not what is hidden already, nothing, or itself a reference
_SHAPES = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL | re.MULTILINE)
    for pattern in (
        rf"({_NAME}\\*[\"']?\s*[=:]\s*(\\*[\"'])){_OPEN}(?:.+?)(?=\2)",  # password = "…"
        rf"(\buser_[\w.-]+=(\\*[\"'])){_OPEN}(?:.+?)(?=\2)",  # user_alice="…", as in JAAS
        rf"({_NAME}(?:=[ \t]*|:)){_OPEN}(?:[^\s\"'\\,;&]+)",  # password=…
        rf"(^[ \t]*[\w.-]*{_NAME}:[ \t]+){_OPEN}(?:\S+)(?=[ \t]*$)",  # a line of YAML
        rf"(\bauthorization\W{{1,6}}(?:basic|bearer)\s+){_OPEN}(?:[\w.~+/=-]{{8,}})",
        rf"(\b[a-z][a-z0-9+.-]*://[^/@\s:\"']*:){_OPEN}(?:[^/@\s\"']+)(?=@)",  # a login in an address
        rf"(-----BEGIN [A-Z ]*PRIVATE KEY-----){_OPEN}(?:.*?)(?=-----END|\Z)",
    )
)
_HINTS = ("passw", "passphr", "secret", "key=", "key:", "key-----", "authorization", "user_", "user.info")


def _has_shape(text: str) -> bool:
    # Patterns read megabytes of facts slowly; nearly all facts hold none of these words.
    lower = text.lower()
    return _hinted(lower) and any(shape.search(text) for shape in _SHAPES)


def _hinted(lower: str) -> bool:
    return any(hint in lower for hint in _HINTS) or ("://" in lower and "@" in lower)


def _without_shapes(text: str) -> str:
    if _hinted(text.lower()):
        for shape in _SHAPES:
            text = shape.sub(rf"\1{HIDDEN}", text)
    return text
