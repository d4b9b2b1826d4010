"""Values of a cluster as one word of a shell, where somebody will paste the command that they stand in."""

import shlex
from typing import Final

_ESCAPED: Final = {"\\": "\\\\", "'": "\\'", "`": "\\x60"}


def shell_word(value: str) -> str:
    """A value that a shell takes as one word and as nothing else.

    One with a backtick, which would end code in Markdown, or with what can't be printed is written as bash and zsh read
    it in $'…'.
    """
    if value.isprintable() and "`" not in value:
        return shlex.quote(value)
    return (
        f"$'{''.join(_ESCAPED.get(letter, letter if letter.isprintable() else _numbered(letter)) for letter in value)}'"
    )


def _numbered(letter: str) -> str:
    return f"\\U{ord(letter):08x}"
