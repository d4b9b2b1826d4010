"""Secrets: resolved from references where they are used, and kept out of everything that leaves that place."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

from runbook.engine.errors import Misconfigured

HIDDEN = "«hidden»"
# Settings whose values are credentials, whichever system they belong to.
_NAMES = re.compile(
    r"(password|passwd|secret|credential|token|private.?key|\.key$|key\.pem|jaas|passphrase|user\.info)", re.IGNORECASE
)
_NOT_SECRET = re.compile(
    r"((location|file|path|endpoint|endpoint\.ur[il]|\.name|algorithm|mechanism|[._]ms)$|refresh|expiry)", re.IGNORECASE
)
_SHORTEST = 4  # shorter values would blot out ordinary text; our judgement


def is_secret(name: str) -> bool:
    """Whether a setting's name says that its value is a credential."""
    return bool(_NAMES.search(name)) and not _NOT_SECRET.search(name)


def plain_secrets(settings: Mapping[str, Any]) -> list[str]:
    """The names of settings that hold a credential as plain text, where a reference should stand."""
    return [name for name, value in _leaves(settings) if is_secret(name) and value not in (None, "")]


def _leaves(settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every setting that is a plain value, also of mappings and lists within, under its own name."""
    for name, value in settings.items():
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, Mapping):
                yield str(name), one
            elif not _is_reference(one):
                yield from _leaves(one)


def _is_reference(value: Mapping[str, Any]) -> bool:
    return bool(value) and set(value) <= {"env", "file"} and not any(isinstance(v, Mapping) for v in value.values())


def resolve(settings: Mapping[str, Any]) -> tuple[dict[str, Any], "Redaction"]:
    """Replace references by what they refer to, however deep they stand.

    A reference is `{env: NAME}` or `{file: PATH}` in place of a value.

    Returns:
        The settings as a client library wants them, and the redaction of every secret among them.

    Raises:
        Misconfigured: a reference can't be followed; the message never holds a value.
    """
    secrets: list[str] = []
    return {name: _resolved(name, value, secrets) for name, value in settings.items()}, Redaction(secrets)


def _resolved(name: str, value: Any, secrets: list[str]) -> Any:
    """A value with its references followed; what is secret is noted."""
    if isinstance(value, Mapping):
        if not _is_reference(value):
            return {inner: _resolved(str(inner), one, secrets) for inner, one in value.items()}
        value = _follow(name, value)
        secrets.append(value)
    elif isinstance(value, list):
        return [_resolved(name, one, secrets) for one in value]
    elif is_secret(name) and value is not None and not isinstance(value, bool):
        secrets.append(str(value))
    return value


def _follow(name: str, reference: Mapping[str, Any]) -> str:
    match dict(reference):
        case {"env": str(variable), **rest} if not rest:
            if variable not in os.environ:
                raise Misconfigured(f"{name} is to come from the environment variable {variable}, which is not set")
            return os.environ[variable]
        case {"file": str(file), **rest} if not rest:
            try:
                return Path(file).expanduser().read_text(encoding="utf-8").rstrip("\r\n")
            except (OSError, UnicodeDecodeError) as error:
                raise Misconfigured(f"{name} is to come from the file {file}, which can't be read") from error
    raise Misconfigured(f"{name} must be a value, {{env: NAME}} or {{file: PATH}}")


class Redaction:
    """Replaces secrets wherever they show: as they are, quoted, URL-encoded, in base64, or cut into lines."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """Redact these."""
        forms: set[str] = set()
        for secret in secrets:
            for part in (secret, *secret.splitlines()):
                if len(part.strip()) >= _SHORTEST:
                    forms |= _forms(part.strip())
        longest_first = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def text(self, text: str) -> str:
        """The text without secrets."""
        return self._pattern.sub(HIDDEN, text) if self._pattern else text

    def found_in(self, text: str) -> bool:
        """Whether a text, or JSON of a text, holds a secret."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def value(self, value: Any) -> Any:
        """A structure of plain values without secrets."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        return value


def _forms(secret: str) -> set[str]:
    import base64  # noqa: PLC0415 - only where there is a secret

    raw = secret.encode()
    forms = {secret, repr(secret)[1:-1], quote(secret, safe=""), quote(secret), quote_plus(secret)}
    for before in range(3):  # as in base64 of "user:secret", where the secret begins anywhere in a group of three bytes
        coded = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        whole = coded[(0, 2, 3)[before] :]
        # The last character of an incomplete group depends on what follows the secret.
        core = whole if (before + len(raw)) % 3 == 0 else whole[:-1]
        for form in (whole, core) if not before else (core,):
            if len(form) >= _SHORTEST:
                forms |= {form, form.replace("+", "-").replace("/", "_")}
    # Twice: what is JSON already is put into JSON once more when it is sent.
    return _quoted(_quoted(forms))


def _quoted(forms: set[str]) -> set[str]:
    return forms | {json.dumps(form, ensure_ascii=ascii_)[1:-1] for form in forms for ascii_ in (True, False)}
