"""Chance that can be repeated: the same words give the same numbers, on every machine and in any order."""

import hashlib
from random import Random


def chance(*about: object) -> Random:
    """Give the numbers that belong to these words: a seed, and what is decided."""
    return Random("/".join(map(str, about)))  # noqa: S311 - nothing here is secret


def digest(*about: object) -> str:
    """Give 64 hexadecimal digits that belong to these words."""
    return hashlib.sha256("/".join(map(str, about)).encode()).hexdigest()
