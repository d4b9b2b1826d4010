"""Which settings are credentials, and where one stands as plain text instead of a reference.

`runbook.run.sources.secret_references` follows references; `runbook.safety.redaction` keeps what they led to out of
what leaves.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

HIDDEN = "«hidden»"
_NAMES = re.compile(
    r"passw(?:or)?ds?|pass[._-]?(?:phrase|code)|(?<!by)(?<!com)(?<!tres)(?<!sur)pass(?![a-z])|pwd?(?![a-z])"
    r"|(?<![a-z])p(?:in|at)(?![a-z])|secret|credential|token|jaas|user\.info|authorization|cookie|webhook"
    r"|(?:basic|cli|redis)[._-]auth(?![a-z])|oauth[._-]?consumer[._-]?key|(?:access|account|admin|aes|api|app|application|auth|cipher|client|data"
    r"|encryption|hmac|ingest|ingestion|insert|integration|licen[cs]e|master|private|sas|secret|service|session|shared"
    r"|signing|ssh|subscription|write)[._-]?keys?(?![a-z])|\.key$|key\.pem|(?<![a-z])salt$",
    re.IGNORECASE,
)
"""What a setting that holds a credential is called, whichever system it belongs to.

Words of providers and of Kafka's, Connect's and connectors' own declarations; recorded ones are the test.
"""

_NOT_SECRET = re.compile(  # what is told about one: where it stands, how it is made
    r"((location|file|path|endpoint|endpoint\.ur[il]|[._-]name|algorithm|mechanism|\.properties|\.(source|type|class|provider)"
    r"|[._]ms|key[._-]?id|client[._]id|iterations|length|enabled?|(?<![a-z])(as|event|format|foreign|group|hash"
    r"|message|order|partition|primary|record|routing|row|schema|shard|sort)\.key)$|refresh(?!.?token)|expiry)",
    re.IGNORECASE,
)
_HARMLESS = re.compile(  # nobody's password; the last is where a manifest has a setting
    r"|true|false|null|\d{1,3}|.*\$\{[^}]+\}.*|(?:[^\n]*\.(?:ya?ml|json)|stdin):\d+:\d+", re.IGNORECASE | re.DOTALL
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LOGIN = re.compile(r"://[^/@\s:]{0,256}:[^/@\s]{1,1024}@")  # http://user:password@host, also as one of several
KINDS = ("env", "file", "keyring", "command")
"""What a reference may begin with: the sources of a credential."""

_OF_KEYRING = "user"
Path = tuple[str | int, ...]


def is_secret(name: str) -> bool:
    """Whether a setting's name says that its value is a credential."""
    return bool(_NAMES.search(name)) and not _NOT_SECRET.search(_HUMP.sub(".", name))


def is_plain(name: str, value: str) -> bool:
    """Whether a setting, by its name, holds a credential as plain text: no reference, switch or small number."""
    return is_secret(name) and not _HARMLESS.fullmatch(value.strip())


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


FORMS = {
    "env": "{env: NAME}",
    "file": "{file: PATH}",
    "keyring": "{keyring: SERVICE, user: NAME}",
    "command": "{command: [PROGRAM, ARGUMENT]}",
}
"""How each reference is written."""

ONE_OF_FORMS = f"{', '.join(list(FORMS.values())[:-1])} or {FORMS['command']}"
"""All of them, as a message names them."""


class WrongReference(NamedTuple):
    """A mapping that should say where a credential comes from, and can't be followed: where it stands, and why."""

    path: Path
    message: str
    remedy: str


def wrong_references(settings: Mapping[str, Any]) -> Iterator[WrongReference]:
    """What can be told of references before anybody follows them: no environment, file or program is looked at."""
    for path, name, value in _mappings(settings, ()):
        if not is_reference(value):
            if is_secret(name):
                yield WrongReference(path, f"{name} is one value, and this says nothing of where it comes from", _ONE)
            continue
        kinds = [kind for kind in KINDS if kind in value]
        wanted = {kinds[0], _OF_KEYRING} if kinds[0] == "keyring" else {kinds[0]}
        if len(kinds) > 1:
            yield WrongReference(path, f"{name} is to come from {' and from '.join(kinds)}", "choose one of them")
        elif {*value} != wanted or not all(_names_something(kind, given) for kind, given in value.items()):
            yield WrongReference(path, f"the {kinds[0]} of {name} is written otherwise", f"write {FORMS[kinds[0]]}")


_ONE = f"write where it comes from: {ONE_OF_FORMS}"


def _names_something(kind: str, value: Any) -> bool:
    if kind == "command":
        return isinstance(value, list) and bool(value) and all(isinstance(word, str) for word in value)
    return isinstance(value, str) and bool(value)


def _mappings(settings: Mapping[str, Any], above: Path) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
    """Every mapping that stands in place of a value, also within mappings and lists: its path, its name, itself."""
    for name, value in settings.items():
        path = (*above, name)
        listed = isinstance(value, list)
        for i, item in enumerate(value if listed else [value]):
            if isinstance(item, Mapping):
                place = (*path, i) if listed else path
                yield place, str(name), item
                if not is_reference(item):
                    yield from _mappings(item, place)


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
