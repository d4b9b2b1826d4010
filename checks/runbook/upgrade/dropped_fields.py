"""Fields that the block format has no more, taken out of runbooks with the lines on which they stand."""

import re
from collections.abc import Iterator
from typing import Final

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin
from msgspec import Struct

from runbook.model.block import AMEND, BLOCKS
from runbook.model.errors import FilePosition
from runbook.parse.schema import DROPPED

_BLOCKS: Final = re.compile(rf"\{{[^}}]*\.({'|'.join((*BLOCKS, AMEND))})\b")
_LINES: Final = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")  # after each line's end, of whatever system


class Dropped(Struct, frozen=True):
    """A field that was taken out, and where it stood."""

    place: FilePosition
    field: str

    def __str__(self) -> str:
        return f"{self.place}: {self.field}: taken out"


def without_dropped_fields(text: str, file: str) -> tuple[str, list[Dropped]]:
    """The text of a runbook without such fields, and each that was taken out; of a block between { } none is."""
    lines = _LINES.split(text)
    dropped: list[Dropped] = []
    gone: set[int] = set()
    for token in MarkdownIt("commonmark").use(front_matter_plugin).disable("inline").parse(text.removeprefix("\ufeff")):
        if token.map and (token.type == "front_matter" or (token.type == "fence" and _BLOCKS.search(token.info))):
            first = token.map[0] + 1
            for field, begin, end in _fields(token.content):
                dropped.append(Dropped(FilePosition(file, first + begin + 1), field))
                gone.update(range(first + begin, first + end + 1))
    return "".join(line for number, line in enumerate(lines) if number not in gone), dropped


def _fields(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each such field of a block, its first line and its last; none of what is no YAML."""
    try:
        block = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return
    if not isinstance(block, yaml.MappingNode) or block.flow_style:
        return
    for key, value in block.value:
        if key.value in DROPPED:
            last = value.value[-1] if isinstance(value, yaml.SequenceNode) and not value.flow_style else value
            yield key.value, key.start_mark.line, last.end_mark.line
