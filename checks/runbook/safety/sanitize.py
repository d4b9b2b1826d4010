r"""Text from elsewhere, such that a terminal or an XML reader can do nothing with it but show it.

Topic names, error messages, configuration values and files of others are other people's data. Whatever is not printable
(escape sequences, line breaks, marks that reverse the direction of writing, characters without width, halves of
characters) is shown as its escape: `\x1b`, `\n`, `\u202e`. What the command writes passes here once more at its outlet
(`runbook.terminal.safe_stdout`), so that nothing is forgotten.
"""

from typing import Any


def sanitize(text: str) -> str:
    """A text as one line that only shows."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def sanitize_lines(text: str) -> str:
    """A text whose lines only show; where it breaks them, and its tabs, it was written so."""
    if text.isprintable():
        return text
    return "\n".join("\t".join(map(sanitize, line.split("\t"))) for line in text.split("\n"))


def sanitize_json(value: Any) -> str:
    """JSON of a value that people can read, in which nothing acts on a terminal: programs read the same in it."""
    import json  # noqa: PLC0415 - the command line loads this module for every `--help`

    text = json.dumps(value, indent=2, ensure_ascii=False)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)
