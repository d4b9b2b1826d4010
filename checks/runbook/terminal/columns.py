"""Lines of lists within the columns of a terminal; elsewhere each stays one line, for grep and its like."""

import shutil
import sys
from typing import Final

from runbook.reports._wrapped_lines import lines_of
from runbook.safety.sanitize import sanitize

_LEAST: Final = 24  # columns that a text needs beside its front; our judgement
_BENEATH: Final = 6  # by so much a text is indented that finds no room there


def terminal_columns() -> int | None:
    """How wide the terminal is that is written to; None where it is none."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None


def beside(front: str, text: str) -> str:
    """A front, such as a name, and the text beside it, made inert; where both find no room the text hangs beneath."""
    front, text, columns = sanitize(front), sanitize(text), terminal_columns()
    whole = f"{front}{text}".rstrip()
    if columns is None or len(whole) <= columns:
        return whole
    indent = " " * (len(front) or 2)
    if columns - len(indent) >= _LEAST:
        return front + f"\n{indent}".join(lines_of(text, columns - len(indent)))
    begins, indent, room = " " * (len(front) - len(front.lstrip())), " " * _BENEATH, columns - _BENEATH
    return begins + f"\n{indent}".join([*lines_of(front.strip(), room), *lines_of(text, room)])


def one_by_one(indent: str, commands: list[str]) -> str:
    """Commands to copy, made inert: on one line, or, where a terminal is too narrow for all, on one each."""
    commands, columns = [sanitize(command) for command in commands], terminal_columns()
    line = indent + " · ".join(commands)
    return line if columns is None or len(line) <= columns else "\n".join(indent + command for command in commands)
