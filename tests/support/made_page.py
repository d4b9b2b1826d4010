"""Pages of which a part, between two marks, is made by a command."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

RECORDS = Path(__file__).parents[1] / "records"
"""What testing on real systems showed: kept beside the tests, as readers of runbooks need its totals alone."""


class MadePage(Struct, frozen=True):
    """A page, and the two lines between which a part of it is made."""

    file: Path
    begin: str
    end: str

    def made(self) -> list[str]:
        """The lines that were made, as they stand."""
        return self.file.read_text("utf-8").partition(self.begin)[2].partition(self.end)[0].strip().splitlines()

    def with_lines(self, lines: Iterable[str]) -> str:
        """The page with these lines between its marks."""
        before, _, rest = self.file.read_text("utf-8").partition(self.begin)
        return "\n".join((before + self.begin, "", *lines, "", self.end + rest.partition(self.end)[2]))
