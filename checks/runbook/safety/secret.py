"""Which settings are credentials, and where one stands as plain text instead of a reference.

`runbook.run.secret_references` follows references; `runbook.safety.redaction` keeps what they led to out of what
leaves.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

HIDDEN = "«hidden»"
# Settings whose values are credentials, whichever system they belong to.
_NAMES = re.compile(
    r"(password|passwd|secret|credential|token|private.?key|\.key$|key\.pem|jaas|passphrase|user\.info)", re.IGNORECASE
)
_NOT_SECRET = re.compile(
    r"((location|file|path|endpoint|endpoint\.ur[il]|\.name|algorithm|mechanism|\.source|[._]ms)$|refresh|expiry)",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"://[^/@\s:]{0,256}:[^/@\s]{1,1024}@")  # http://user:password@host, also as one of several
KINDS = ("env", "file", "keyring", "command")
"""What a reference may begin with: the sources of a credential."""

_OF_KEYRING = "user"
Path = tuple[str | int, ...]


def is_secret(name: str) -> bool:
    """Whether a setting's name says that its value is a credential."""
    return bool(_NAMES.search(name)) and not _NOT_SECRET.search(name)


def is_reference(value: Mapping[str, Any]) -> bool:
    """Whether a mapping in place of a value says where the value comes from, rightly or not."""
    known = {*KINDS, _OF_KEYRING}
    return (
        bool(set(value) & set(KINDS))
        and set(value) <= known
        and not any(isinstance(v, Mapping) for v in value.values())
    )


def plain_secrets(settings: Mapping[str, Any]) -> list[Path]:
    """The paths of settings that hold a credential as plain text, where a reference should stand.

    Also where it is part of an address: http://user:password@host.
    """
    return [path for path, name, value in _leaves(settings, ()) if _holds_secret(name, value)]


def _holds_secret(name: str, value: Any) -> bool:
    if isinstance(value, bool) or value in (None, ""):
        return False
    return is_secret(name) or (isinstance(value, str) and _LOGIN.search(value) is not None)


def _leaves(settings: Mapping[str, Any], above: Path) -> Iterator[tuple[Path, str, Any]]:
    """Every setting that is a plain value, also of mappings and lists within: its path, its name, the value."""
    for name, value in settings.items():
        path = (*above, name)
        listed = isinstance(value, list)
        for i, item in enumerate(value if listed else [value]):
            place = (*path, i) if listed else path
            if not isinstance(item, Mapping):
                yield place, str(name), item
            elif not is_reference(item):
                yield from _leaves(item, place)
