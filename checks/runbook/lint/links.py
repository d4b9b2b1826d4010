"""Links in the prose of a runbook to files that are not there: on the site they would lead nowhere."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from runbook.model.errors import Place, Problem, did_you_mean
from runbook.parse.runbook import Prose, Runbook
from runbook.run.sources import every_name


def dead_links(book: Runbook) -> Iterator[Problem]:
    """Yield a problem for each link of a runbook of one's own to a file that there is not.

    What leads elsewhere (an address, a place on its own page, a page of the tool's documentation) is left alone.
    """
    if book.origin == "built-in" and book.own is None:
        return  # the site's strict build looks at these
    folder, names = Path(book.path).parent, every_name()
    for part in (book.own or book).parts:
        if not isinstance(part, Prose):
            continue
        for token in MarkdownIt("commonmark").enable("table").parse(part.text):
            for child in token.children or ():
                href = urlsplit(str(child.attrGet("href") or ""))
                if child.type != "link_open" or href.scheme or href.netloc or not href.path:
                    continue
                file = Path(unquote(href.path))
                known = file.parent == Path() and file.suffix == ".md" and file.stem in names
                if known or file.is_absolute() or "docs" in file.parts or (folder / file).exists():
                    continue
                line = part.line + (token.map or [0])[0]
                yield Problem(Place(book.path, line), f'the link to "{file}" leads nowhere', _remedy(file, names))


def _remedy(file: Path, names: list[str]) -> str:
    return did_you_mean(file.stem, names, "name a file that is beside the runbook")
