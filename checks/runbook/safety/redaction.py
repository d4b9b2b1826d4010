"""Keep secrets out of text, whatever form they take there: all that leaves a worker passes here.

Two kinds are hidden: secrets that are known because a reference led to them, and those that give themselves away by
what stands around them: `password=…`, `https://user:…@host`, a private key in PEM.
"""

import bisect
import itertools
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from copy import copy
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Struct

from runbook.safety.secret import HIDDEN, is_plain
from runbook.safety.secret_shapes import has_shape, without_shapes

_SHORTEST = 4  # characters; shorter values would blot out ordinary text. Our judgement
_Record = TypeVar("_Record", bound=Struct)
_LOOSE = re.compile(r"[\r\n\\]")
# What may stand between two characters of a secret: a line's end and the next one's indentation, also as JSON writes
# them, and as many backslashes as quoting what was quoted gives. A secret that begins with n, r or t may follow a
# backslash that is none of its own, which is the second way to read a text.
_GAPS = (re.compile(r"\\+[nrt]?|\s+"), re.compile(r"[\\\s]+"))


class Redaction:
    """Replaces secrets wherever they show: as they are, quoted, URL-encoded, in base64, or broken over lines."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Redact these, and what gives itself away."""
        self._instead: Callable[[int], str] = lambda _: HIDDEN
        forms: set[str] = set()
        for secret in secrets:
            for part in (secret, *secret.splitlines()):
                if len(part.strip()) >= _SHORTEST:
                    forms |= _forms(part.strip())
        self._pattern = re.compile(_any_of(forms)) if forms else None
        self._forms = forms
        self._over_lines: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()

    def text(self, text: str) -> str:
        """The text without secrets."""
        return without_shapes(self.known(text))

    def known(self, text: str) -> str:
        """The text without the secrets that a reference led to."""
        if self._pattern is None:
            return text
        text = self._pattern.sub(lambda found: self._instead(len(found[0])), text)
        pieces, done = [], 0
        for start, end in _joined(self._broken(text)):
            pieces += [text[done:start], self._instead(end - start)]
            done = end
        return "".join([*pieces, text[done:]])

    def with_stand_in(self, instead: Callable[[int], str]) -> "Redaction":
        """The same redaction, with another text where a known secret stood; it is made for the length of that."""
        made = copy(self)
        made._instead = instead  # noqa: SLF001 - its own class
        return made

    def found_in(self, text: str) -> bool:
        """Whether a text, or JSON of a text, holds a secret."""
        known = self._pattern is not None and (self._pattern.search(text) or next(self._broken(text), None))
        return bool(known) or has_shape(text)

    def record(self, record: _Record, ours: Collection[str] = ()) -> _Record:
        """A record without secrets. Words of its format stay, or nobody could read it: a password may be called "pass".

        Args:
            record: names of its fields, tags, members of enumerations and what is typed as `Literal` stay.
            ours: fields that stay as well, in it and in records within it, as they hold names that we gave.
        """
        changed = {
            field.name: self.value(getattr(record, field.name), ours)
            for field in msgspec.structs.fields(record)
            if field.name not in ours and not _has_words_of_its_own(field.type)
        }
        return msgspec.structs.replace(record, **changed)

    def value(self, value: Any, ours: Collection[str] = ()) -> Any:
        """A structure of plain values and records without secrets; `ours` as for `record`."""
        if isinstance(value, str):
            return value if isinstance(value, Enum) else self.text(value)
        if isinstance(value, list | tuple):
            return type(value)(self.value(item, ours) for item in value)
        if isinstance(value, dict):
            return {self.value(key): self.of_name(key, item, ours) for key, item in value.items()}
        return self.record(value, ours) if isinstance(value, Struct) else value

    def of_name(self, name: Any, value: Any, ours: Collection[str] = ()) -> Any:
        """The value of a setting: hidden where its name says that it is a credential, else without secrets."""
        if isinstance(name, str) and isinstance(value, str) and is_plain(name, value):
            return HIDDEN
        return self.value(value, ours)

    def _broken(self, text: str) -> Iterator[tuple[int, int]]:
        """Where secrets stand that are broken over lines, or quoted more than twice: start and end.

        Text and secrets are compared without what may stand between their characters, so that it takes one reading.
        """
        if not _LOOSE.search(text):
            return
        for gap, secrets in self._without_gaps():
            kept = [(start, end) for start, end in _between(gap, text) if end > start]
            dense = "".join(text[start:end] for start, end in kept)
            ends = list(itertools.accumulate(end - start for start, end in kept))

            def place(at: int, kept: list[tuple[int, int]] = kept, ends: list[int] = ends) -> int:
                run = bisect.bisect_right(ends, at)
                return kept[run][1] - (ends[run] - at)

            for found in secrets.finditer(dense):
                yield place(found.start()), place(found.end() - 1) + 1

    def _without_gaps(self) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
        """A pattern of all secrets for each way to read a text; made when a text may hold one."""
        if not self._over_lines:
            dense = [(gap, {gap.sub("", form) for form in self._forms}) for gap in _GAPS]
            long = [(gap, {form for form in forms if len(form) >= _SHORTEST}) for gap, forms in dense]
            self._over_lines = tuple((gap, re.compile(_any_of(forms))) for gap, forms in long if forms)
        return self._over_lines


@cache
def _has_words_of_its_own(annotation: Any) -> bool:
    """Whether a type is a `Literal`, or one of some that are."""
    return get_origin(annotation) is Literal or any(map(_has_words_of_its_own, get_args(annotation)))


def _between(gap: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """What a text is made of besides its gaps."""
    start = 0
    for found in gap.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap made one."""
    made: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if made and start <= made[-1][1]:
            made[-1] = made[-1][0], max(end, made[-1][1])
        else:
            made.append((start, end))
    return made


def _any_of(words: Iterable[str]) -> str:
    """A pattern for the longest of some words that stands at a place.

    What words begin with in common is written once, so that a hundred forms cost about as much as one.
    """
    by_first: dict[str, list[str]] = {}
    for word in sorted(set(words)):
        by_first.setdefault(word[:1], []).append(word)
    may_end = bool(by_first.pop("", None))
    branches = []
    for group in by_first.values():
        start = os.path.commonprefix(group)  # noqa: RUF071 - texts, no paths
        rest = _any_of([word[len(start) :] for word in group]) if len(group) > 1 else ""
        branches.append(re.escape(start) + rest)
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
