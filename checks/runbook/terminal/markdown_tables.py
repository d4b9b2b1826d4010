"""Markdown on a terminal whose tables show the whole of every name: rich cuts what is wider than its column."""

from typing import Any, ClassVar

from rich.console import Console, JustifyMethod
from rich.containers import Lines
from rich.markdown import Markdown, TableDataElement
from rich.text import Text

from runbook.reports._wrapped_lines import breaks_in


class _CellText(Text):
    def wrap(self, console: Console, width: int, *, justify: JustifyMethod | None = None, **_: Any) -> Lines:
        """Its lines of so many columns."""
        lines = self.divide(breaks_in(self.plain, width))
        for line in lines:
            line.rstrip_end(width)
        lines.justify(console, width, justify=justify or self.justify or "default")
        return lines


class _CellElement(TableDataElement):
    def __init__(self, justify: JustifyMethod) -> None:
        super().__init__(justify)
        self.content = _CellText("", justify=justify)


class MarkdownOfTables(Markdown):
    """Markdown, as rich shows it but for the cells of tables."""

    elements: ClassVar = {**Markdown.elements, "td_open": _CellElement}
