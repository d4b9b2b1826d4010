"""A real Chromium, and two sites to look at with it: one with harmless texts, one with hostile ones in their place."""

import os
import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.made_site import build, write_sources
from browser.payloads import PAYLOADS
from browser.watching import Watched, watched
from publish.conftest import few_pages
from publish.planted_names import fill
from runbook.parse.runbook import read_runbook
from runbook.publish.build import FOR_A_FOLDER
from runbook.publish.pseudonyms import KEY, key_of

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]

ALIKE = re.compile(r"evidence/e0[1-9]-.*|alerts/(?!KafkaISRShrinkRate$).*|runbooks/(?!ha$|own$|versions$).*")
"""Folders that are alike to others: of environments (`made_site` says which differ), alerts, blocks of runbooks."""

BLOCKS = ("broker-is-down", "writers-are-refused", "partitions-take-writes", "bring-a-broker-back")
"""A cause, a symptom, a check and a procedure of `ha`."""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and writes no log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's program; tests are skipped where there is none."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    found = next((path for path in map(shutil.which, filter(None, names)) if path), None)
    if found is None:
        pytest.skip("no Chromium: install it (Debian: apt install chromium) or name it in CHROMIUM")
    return str(found)


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One browser for the session; every test opens contexts of its own."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def watch(browser: Browser) -> Iterator[Watched]:
    """A watched context of 1280 px; the test fails if a page in it asked anything of another host."""
    with watched(browser) as seen:
        yield seen
    assert seen.requests == []
    assert seen.alarms == []


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of a site with harmless texts."""
    return write_sources(tmp_path_factory.mktemp("sources"), lambda number: f"harmless {number}")


@pytest.fixture(scope="session")
def site(sources: Path, tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Path:  # noqa: ARG001
    """The site with harmless texts, built."""
    return build(sources, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def offline_site(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build that is opened from a folder."""
    return build(sources, tmp_path_factory.mktemp("offline"), **{FOR_A_FOLDER: "1"})


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Path:  # noqa: ARG001
    """The same site with a hostile text wherever a stranger may name something, built."""
    root = write_sources(tmp_path_factory.mktemp("hostile"), lambda number: PAYLOADS[number % len(PAYLOADS)])
    settings = root / "mkdocs.yml"  # nothing of a stranger's is in a notebook: the other site has run them
    settings.write_text(settings.read_text(encoding="utf-8").replace("execute: true", "execute: false"), "utf-8")
    return build(root, tmp_path_factory.mktemp("hostile-site"))


@pytest.fixture(scope="session")
def nameless_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of few pages without names, over results that have a name wherever they may have one."""
    root = tmp_path_factory.mktemp("nameless")
    few_pages(root)
    shutil.rmtree(root / "site-data")
    fill(root / "site-data", read_runbook(root / "runbooks" / "hostile.md"))
    key = root / "site-data" / "redaction.key"
    key_of(key)
    return build(root, tmp_path_factory.mktemp("nameless-site"), **{KEY: str(key)})


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of a loopback server of the site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def kinds(site: Path) -> list[Path]:
    """One page of every kind: of each folder its index, and the largest other page."""
    pages = sorted(set(site.rglob("*.html")) - {site / "404.html"})  # its links are those of a server
    folders: dict[Path, list[Path]] = {}
    for page in pages:
        folders.setdefault(page.parent, []).append(page)
    found = []
    for folder, inside in folders.items():
        if ALIKE.fullmatch(folder.relative_to(site).as_posix()):
            continue
        rest = [page for page in inside if page.name != "index.html"]
        found += [page for page in inside if page.name == "index.html"]
        # Pages of the top folder are single ones: home, alerts, changes.
        found += rest if folder == site else sorted(rest, key=lambda page: -page.stat().st_size)[:1]
    found += [site / f"runbooks/ha/{name}.html" for name in BLOCKS]
    return found
