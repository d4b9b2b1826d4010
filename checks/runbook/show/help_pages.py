"""Pages of the documentation, to which runbooks link: at a terminal they are read by `runbook show docs/PAGE.md`."""

import posixpath
import re
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Final

from runbook.model.errors import UsageError, did_you_mean
from runbook.parse.runbook import read_text
from runbook.plugins.catalog import catalog
from runbook.plugins.content import site_sources

_FOLDER: Final = "docs"
_LINK: Final = re.compile(r"\]\((?![a-z]+:)([\w./-]+\.md)(#[^()\s]*)?\)")


def help_page(word: str) -> Path | None:
    """The file of the page that a word names, as docs/how-to/inventory.md does: one of the project, or of the tool.

    None where it names none; a file that begins with front matter is a runbook, wherever it lies.
    """
    path = PurePosixPath(word.partition("#")[0])
    if path.parts[:1] != (_FOLDER,) or path.suffix != ".md" or ".." in path.parts:
        return None
    for file in (Path(path), site_sources() / path):
        if file.is_file():
            return None if read_text(file, str(file)).startswith("---") else file
    return None


def refuse_unknown_page(word: str) -> None:
    """Refuse a word that is written as the name of a page is, where nothing is called so.

    Raises:
        UsageError: with the pages that may have been meant.
    """
    path = PurePosixPath(word.partition("#")[0])
    if path.parts[:1] == (_FOLDER,) and path.suffix == ".md" and not Path(path).exists():
        raise UsageError(f"no page {path}: {did_you_mean(str(path), _pages())}")


def pages_called(word: str) -> str:
    """Say of a word that names no runbook which pages are called so; "" where none is."""
    name = PurePosixPath(word.partition("#")[0]).name.removesuffix(".md")
    found = [f"runbook show {page}" for page in _pages() if PurePosixPath(page).stem == name]
    return f"; a page of help is: {' or '.join(found)}" if found else ""


def shown_elsewhere(word: str, commands: Collection[str]) -> str:
    """How to see what a word names that is neither a runbook nor a page, as one of these commands; "" for nothing."""
    for kind in ("probe", "view"):
        if word in catalog(f"{kind}s").names():
            return f"{word} is a {kind}: runbook list --{kind}s {word}"
    if word in commands:
        return f"{word} is a command: runbook {word} --help"
    if word == _FOLDER or Path(word).is_dir():
        pages = f"; a page of help in one: runbook show {_pages()[0]}" if word == _FOLDER else ""
        return f"{word} is a folder, and one text is shown: runbook show RUNBOOK; which there are: runbook list{pages}"
    return ""


def _pages() -> list[str]:
    sources = site_sources()
    return [file.relative_to(sources).as_posix() for file in sorted((sources / _FOLDER).rglob("*.md"))]


def help_text(file: Path, word: str = "") -> str:
    """A page as it stands; where the word that named it is given, with its links by the names that can be shown."""
    text = read_text(file, str(file)).rstrip()
    return _LINK.sub(lambda link: _found_as(link, str(PurePosixPath(word).parent)), text) if word else text


def with_pages(text: str) -> str:
    """A runbook's text, or a block's, with the pages it links to under their names, and the commands that show them."""
    named = _LINK.sub(lambda link: _found_as(link, "runbooks"), text)
    pages = dict.fromkeys(page for page in (link[1] for link in _LINK.finditer(named)) if help_page(page))
    listed = "\n".join(f"- `runbook show {page}`" for page in pages)
    return f"{named}\n\n**Pages it leads to**\n\n{listed}" if pages else named


def _found_as(link: re.Match[str], folder: str) -> str:
    """A link, by the name under which a page or a runbook is shown; as it stands where it leads to neither."""
    path = posixpath.normpath(posixpath.join(folder, link[1]))
    if path.startswith("runbooks/"):
        return f"]({path.removeprefix('runbooks/')}{link[2] or ''})"
    return f"]({path})" if help_page(path) else link[0]
