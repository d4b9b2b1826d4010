"""Prose, taken apart at its headings."""

from collections.abc import Iterator

from msgspec import Struct


class Section(Struct, frozen=True):
    """A heading, and the text under it up to the next; the heading of what stands before the first one is empty.

    Attributes:
        title: the heading's text.
        text: what stands under it.
        level: of the heading: 1 for that of a part; 0 for what stands before the first one.
    """

    title: str
    text: str
    level: int = 0


def sections(prose: str) -> Iterator[Section]:
    """Take Markdown apart at its headings, of whatever level; what stands in a fence is no heading."""
    title, lines, level, fenced = "", list[str](), 0, False
    for line in prose.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.startswith("#") and not fenced:
            yield Section(title, "\n".join(lines).strip("\n"), level)
            title, lines, level = line.strip("# "), [], len(line) - len(line.lstrip("#"))
        else:
            lines.append(line)
    yield Section(title, "\n".join(lines).strip("\n"), level)
