"""The prose of a runbook, line by line: its text, and the strings of its blocks that people read."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml

SPOKEN: Final = frozenset(
    {"title", "effect", "message", "remedy", "says", "proof", "first", "avoid", "do", "why", "stop", "risk", "effort"}
    | {"undo", "symptom", "cause", "look", "otherwise", "help"}
)
"""Keys of blocks whose strings are prose."""
_FENCE: Final = re.compile(r"^(`{3,})")
_MARKS: Final = re.compile(r"^(?:[>|][+-]?$|[\"'])|[\"']$")


def prose_of(text: str) -> str:
    """Blank out of a runbook what is no prose. Each line stays at its number, so that a linter's places are true."""
    lines = text.splitlines()
    kept = list(lines)
    opened, fence = None, ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if opened is None and mark:
            opened, fence = number, mark[1]
        elif opened is not None and line.startswith(fence) and not line.strip("`").strip():
            kept[opened : number + 1] = _block(lines[opened : number + 1])
            opened = None
    if lines[:1] == ["---"]:
        end = lines.index("---", 1)
        kept[: end + 1] = [""] * (end + 1)
    return "\n".join(kept) + "\n"


def _block(lines: list[str]) -> list[str]:
    """Of a fenced block of YAML the strings that are prose; of another nothing."""
    kept = [""] * len(lines)
    if not lines[0].startswith("```yaml {."):
        return kept
    for node in _spoken(yaml.compose("\n".join(lines[1:-1]))):
        first, last = node.start_mark, node.end_mark
        for number in range(first.line, last.line + (last.column > 0)):
            line = lines[number + 1]
            start = first.column if number == first.line else 0
            end = last.column if number == last.line else len(line)
            kept[number + 1] = _MARKS.sub("", line[start:end].strip())
    return kept


def _spoken(node: yaml.Node | None, *, under: bool = False) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _spoken(value, under=key.value in SPOKEN)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _spoken(value, under=under)
    elif isinstance(node, yaml.ScalarNode) and under:
        yield node


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.glob("*.md")):
        (target / file.name).write_text(prose_of(file.read_text(encoding="utf-8")), encoding="utf-8")
