"""A right of a principal, as a person writes it: `User:billing Write Topic orders`, and perhaps an address."""

from msgspec import Struct

_ANY = "*"
_WORDS = 4  # a right without a host


class AskedRight(Struct):
    """A right, as a person writes it."""

    principal: str
    operation: str
    resource_type: str
    resource: str
    host: str


def read_right(text: str) -> AskedRight | None:
    """Read a right from its end, as a principal may hold spaces (the subject of a certificate); None if it is none."""
    words = text.split()
    for size in (_WORDS + 1, _WORDS):
        head, tail = words[: len(words) - size + 1], words[len(words) - size + 1 :]
        types = ("Topic", "Group", "Cluster", "TransactionalId", "DelegationToken", "User")
        if head and len(tail) >= _WORDS - 1 and tail[1] in types:
            host = tail[3] if len(tail) == _WORDS else _ANY
            return AskedRight(" ".join(head), tail[0], tail[1], tail[2], host)
    return None
