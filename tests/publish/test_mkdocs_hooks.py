"""The built site: every page reachable, nothing fetched from elsewhere, nothing hostile alive."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from runbook.parse.anchors import anchors, questions
from runbook.parse.runbook import read_runbook
from runbook.publish.build import FOR_A_FOLDER

Build = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]

FETCHING = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "object": "data",
    "embed": "src",
    "input": "src",
}
FETCHED_RELATIONS = {
    "stylesheet",
    "preload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
    "icon",
    "modulepreload",
    "manifest",
}


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
        """Keep an element."""
        self.open.append(tag)
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Keep what is no script."""
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.words.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Forget the elements that end here."""
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
            known = documents.get(goal)
            if not goal.is_file() or (target.fragment and known and unquote(target.fragment) not in known.ids):
                broken.append(f"{file.relative_to(site)}: {attributes['href']}")
    return broken


@pytest.fixture(scope="module")
def site(small_site: Path, build_site: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small site, built."""
    folder = tmp_path_factory.mktemp("built")
    done = build_site(small_site, folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING -" not in done.stderr  # what a kernel says of itself is another thing
    return folder


@pytest.fixture(scope="module")
def documents(site: Path) -> dict[Path, Document]:
    """Its pages."""
    return pages(site)


def test_every_place_that_lint_knows_of_a_runbook_has_its_anchor(
    site: Path, small_site: Path, documents: dict[Path, Document]
) -> None:
    for file in (small_site / "runbooks").glob("*.md"):
        book = read_runbook(file)
        ids = documents[site / "runbooks" / f"{book.name}.html"].ids
        assert {placed.block.id for placed in book.placed()} <= {*anchors(book)}
        assert [place for place in (*anchors(book), *questions(book)) if place not in ids] == []


def test_every_link_leads_to_a_page_and_an_anchor(site: Path, documents: dict[Path, Document]) -> None:
    assert broken_links(site, documents) == []


def test_a_link_to_nowhere_would_be_found(site: Path, documents: dict[Path, Document]) -> None:
    page = documents[site / "index.html"]
    page.elements.append(("a", {"href": "runbooks/hostile.html#nowhere"}))
    try:
        assert broken_links(site, documents) == ["index.html: runbooks/hostile.html#nowhere"]
    finally:
        page.elements.pop()


def test_no_page_fetches_anything_from_elsewhere(documents: dict[Path, Document]) -> None:
    fetched = {address for document in documents.values() for address in document.fetched()}
    assert fetched
    assert {address for address in fetched if urlsplit(address).netloc or ":" in address} == set()


def test_no_style_or_inline_script_names_another_host(site: Path) -> None:
    fetching = re.compile(
        r"""url\(\s*["']?(?:https?:)?//[^)]*|@import[^;]*|<script\b[^>]*>.*?https?:.*?</script>""", re.DOTALL
    )
    for file in (*site.rglob("*.html"), *site.rglob("*.css")):
        for script in re.split(r"(?=<script)", file.read_text(encoding="utf-8")):
            assert fetching.findall(script.partition("</script>")[0] + "</script>") == [], file


def test_hostile_names_stay_words(documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        scripts = [attributes.get("src", "") for attributes in document.all("script")]
        assert not any("evil" in source for source in scripts), file
        assert list(document.handlers()) == [], file
        assert not any(attributes.get("href", "").startswith("javascript:") for attributes in document.all("a")), file
        assert [tag for tag in ("iframe", "object", "embed") if any(document.all(tag))] == [], file
    text = " ".join(document.text for document in documents.values())
    assert "<script>alert(1)</script>" in text
    assert "{{ 7*7 }}" in text


def test_hostile_titles_do_not_end_the_title_of_the_window(documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        assert sum(tag == "title" for tag, _ in document.elements) == 1, file
        assert not any("alert(1)" in script for script in _inline_scripts(file)), file


def _inline_scripts(file: Path) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", file.read_text(encoding="utf-8"), re.DOTALL)


def test_ids_are_unique_on_every_page(documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        assert len(set(document.ids)) == len(document.ids), file


def test_every_table_of_ours_has_column_and_row_headers(documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        for attributes in document.all("th"):
            if "notebooks" not in file.parts and attributes:
                assert attributes.get("scope") in {"col", "row"}, file


def test_status_is_a_shape_and_a_word_beside_its_colour(site: Path, documents: dict[Path, Document]) -> None:
    text = (
        documents[site / "runbooks" / "hostile" / "rows-hold.html"].text
        + documents[site / "runbooks" / "hostile" / "never-judged.html"].text
    )
    for shown in ("✗ fail", "✓ pass", "? unknown", "No results yet."):
        assert shown in text


def test_the_scorecard_leads_to_the_evidence_of_a_failure(site: Path, documents: dict[Path, Document]) -> None:
    card = documents[site / "scorecard" / "index.html"]
    links = [attributes.get("href", "") for attributes in card.all("a")]
    assert "../evidence/broken/hostile.html#hostile-rows-hold-broken" in links
    assert "hostile-rows-hold-broken" in documents[site / "evidence" / "broken" / "hostile.html"].ids
    assert "silent since 2026-11-01 06:00 UTC" in card.text
    assert (site / "scorecard" / "scorecard.json").is_file()


def test_search_finds_checks(site: Path) -> None:
    assert "hostile/rows-hold.html" in (site / "search" / "search_index.json").read_text(encoding="utf-8")


def test_a_mistake_in_a_runbook_ends_the_build_with_its_place(
    tmp_path: Path, small_site: Path, build_site: Build
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Home\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text((small_site / "mkdocs.yml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "runbooks").mkdir()
    (tmp_path / "runbooks" / "bad.md").write_text("no front matter\n", encoding="utf-8")
    done = build_site(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "bad.md:1:1  no front matter" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_site_of_this_project_is_built_without_a_warning(tmp_path: Path, build_site: Build) -> None:
    done = build_site(ROOT, tmp_path / "site")
    assert done.returncode == 0, done.stderr
    documents = pages(tmp_path / "site")
    assert broken_links(tmp_path / "site", documents) == []
    assert not any(urlsplit(address).netloc for document in documents.values() for address in document.fetched())


def test_the_site_opens_from_a_folder_with_a_search_that_asks_nobody(
    tmp_path: Path, small_site: Path, build_site: Build
) -> None:
    done = build_site(small_site, tmp_path / "site", **{FOR_A_FOLDER: "1"})
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "search" / "search_index.js").read_text(encoding="utf-8").startswith("var __index = {")
    for file, document in pages(tmp_path / "site").items():
        if file.parent.name == "procedures":  # files that lead on
            continue
        scripts = [attributes["src"] for attributes in document.all("script") if "src" in attributes]
        assert any(source.endswith("scripts/iframe-worker.js") for source in scripts)
        assert not any(urlsplit(source).netloc for source in scripts)


def test_a_notebook_that_fails_ends_the_build(tmp_path: Path, small_site: Path, build_site: Build) -> None:
    shutil.copytree(small_site, tmp_path / "sources")
    notebook = tmp_path / "sources" / "docs" / "notebooks" / "brokers-to-lose.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    next(cell for cell in content["cells"] if cell["cell_type"] == "code")["source"] = ["1 / 0"]
    notebook.write_text(json.dumps(content), encoding="utf-8")
    done = build_site(tmp_path / "sources", tmp_path / "site")
    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stderr


def test_no_page_carries_the_navigation_of_all_others(tmp_path: Path, small_site: Path, build_site: Build) -> None:
    shutil.copytree(small_site, tmp_path / "sources")
    shutil.rmtree(tmp_path / "sources" / "docs" / "notebooks")
    book = (small_site / "runbooks" / "other.md").read_text(encoding="utf-8")
    plain = book.partition("```yaml {.diagnostic}")[0].replace("id: there", "id: here")
    for number in range(40):
        (tmp_path / "sources" / "runbooks" / f"plain-{number}.md").write_text(plain, encoding="utf-8")
    done = build_site(tmp_path / "sources", tmp_path / "site")
    assert done.returncode == 0, done.stderr
    links = [link.get("href") for link in Document(tmp_path / "site" / "runbooks" / "plain-0.html").all("a")]
    assert "index.html" in links
    assert "plain-39.html" not in links
    assert "plain-39.html" in [link.get("href") for link in Document(tmp_path / "site/runbooks/index.html").all("a")]
