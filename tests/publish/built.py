"""Questions put to a built site: where do its links lead, what would a browser fetch."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

FETCHING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "object": "data", "embed": "src", "input": "src"}
FETCHED_RELATIONS = {"stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon", "modulepreload", "manifest"}


class Document(HTMLParser):
    """One page: its elements, ids, and text outside of scripts."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.words.append(data)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    @property
    def text(self) -> str:
        """What a reader sees, as one line."""
        return " ".join("".join(self.words).split())

    @property
    def ids(self) -> list[str]:
        """Every id, as often as it stands there."""
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    def all(self, tag: str) -> Iterator[dict[str, str]]:
        """The attributes of every element of a tag."""
        return (attributes for name, attributes in self.elements if name == tag)

    def fetched(self) -> Iterator[str]:
        """Every address that a browser fetches by itself."""
        for tag, attributes in self.elements:
            if tag in FETCHING and attributes.get(FETCHING[tag]):
                yield attributes[FETCHING[tag]]
            if tag == "link" and FETCHED_RELATIONS & set(attributes.get("rel", "").split()):
                yield attributes.get("href", "")

    def handlers(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Every element with an attribute that holds a script."""
        for tag, attributes in self.elements:
            if any(name.startswith("on") for name in attributes):
                yield tag, attributes


def pages(site: Path) -> dict[Path, Document]:
    """Every page of a built site."""
    return {file: Document(file) for file in sorted(site.rglob("*.html"))}


def broken_links(site: Path, documents: dict[Path, Document]) -> list[str]:
    """Links of a page that lead to no file, or to no anchor in it."""
    broken = []
    for file, document in documents.items():
        if file.name == "404.html":  # its links are absolute: a server shows it in place of any page
            continue
        for attributes in document.all("a"):
            target = urlsplit(attributes.get("href", ""))
            if target.scheme or target.netloc or not (target.path or target.fragment):
                continue
            goal = (file.parent / unquote(target.path)).resolve() if target.path else file
            goal = goal / "index.html" if goal.is_dir() else goal
            known: Any = documents.get(goal)
            if not goal.is_file() or (target.fragment and known and unquote(target.fragment) not in known.ids):
                broken.append(f"{file.relative_to(site)}: {attributes['href']}")
    return broken
