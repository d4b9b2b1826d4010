"""The headings of a runbook: the prose under each, and its blocks with the prose that introduces each."""

from collections.abc import Iterator

from msgspec import Struct

from runbook.parse.anchors import slug, unique
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.publish.prose import Passage, passages


class Introduced(Struct, frozen=True):
    """A block, and the prose that introduces it."""

    placed: LocatedBlock
    said: Passage


class Heading(Struct):
    """A heading, the prose under it, and what follows up to the next heading.

    Attributes:
        passage: the heading, with the prose under it.
        anchor: the place of the heading on the page of the runbook; empty for what stands before the first one.
        parts: blocks, and prose that introduces none.
    """

    passage: Passage
    anchor: str
    parts: list[Introduced | Passage]

    @property
    def is_of_one_block(self) -> bool:
        """Whether the prose under the heading introduces the one block there, and is not about several."""
        return len(self.parts) == 1 and isinstance(self.parts[0], Introduced) and not self.parts[0].said.under

    def blocks(self) -> Iterator[Introduced]:
        """The blocks under the heading, each with its introduction."""
        for part in self.parts:
            if isinstance(part, Introduced):
                yield Introduced(part.placed, self.passage) if self.is_of_one_block else part


def headings(runbook: Runbook) -> list[Heading]:
    """Take a runbook apart at the headings of its prose; one that only repeats the title is left out."""
    taken = dict.fromkeys([*(placed.block.id for placed in runbook.placed()), slug(runbook.front.title)])
    found = [Heading(Passage(), "", [])]
    waiting: list[Passage] = []  # prose behind a block: introduces the next one, if no heading comes first
    for part in runbook.parts:
        if isinstance(part, LocatedBlock):
            said = waiting.pop() if waiting else Passage()
            found[-1].parts += [*waiting, Introduced(part, said)]
            waiting.clear()
            continue
        for passage in passages(part.text):
            if not passage.level and found[-1].parts:
                waiting.append(passage)
                continue
            found[-1].parts += waiting
            waiting.clear()
            is_title = passage.level == 1 and passage.words == runbook.front.title
            anchor = "" if is_title or not passage.level else unique(slug(passage.words), taken)
            taken[anchor] = None
            found.append(Heading(Passage(under=passage.under) if is_title else passage, anchor, []))
    found[-1].parts += waiting
    return [heading for heading in found if heading.passage.level or heading.passage.under or heading.parts]
