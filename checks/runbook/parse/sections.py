"""Prose, taken apart at its headings."""

from collections.abc import Iterator

from msgspec import Struct


class Section(Struct, frozen=True):
    """A heading, and the text under it up to the next; the heading of what stands before the first one is empty."""

    title: str
    text: str


def sections(prose: str) -> Iterator[Section]:
    """Take Markdown apart at its headings, of whatever level; what stands in a fence is no heading."""
    title, lines, fenced = "", list[str](), False
    for line in prose.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if line.startswith("#") and not fenced:
            yield Section(title, "\n".join(lines).strip("\n"))
            title, lines = line.strip("# "), []
        else:
            lines.append(line)
    yield Section(title, "\n".join(lines).strip("\n"))
