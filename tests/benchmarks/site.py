"""The site of a large platform: 1,500 pages, 26 environments, 52 weeks, all of it generated; how long, how large.

Run: .venv/bin/python tests/benchmarks/site.py [--environments 26] [--checks 200] [--weeks 52] [--pages 1500]
     [--keep FOLDER] [--no-scorecard] [--profile]
It works on a copy of the project in a temporary folder, filled up to so many pages with artificial runbooks. With
--keep the folder stays, and a history and scorecard that are there already are used again.
"""

import argparse
import datetime as dt
import gzip
import os
import pstats
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from playwright.sync_api import sync_playwright

from kafka_lab.history import HistorySize, write_history
from runbook.parse.runbook import Prose, read_runbook

ROOT = Path(__file__).parents[2]
UNTIL = dt.date(2026, 11, 21)
KB, MB = 1024, 1024**2
BLOCKS_PER_PAGE = 5
PHONE = {"width": 390, "height": 844}
LOOKED_AT = 40  # pages whose height is measured: the largest, as a page is long because it holds much


class Bar(Struct, frozen=True):
    """A figure beside the bar it must not pass."""

    what: str
    value: float
    most: float
    unit: str
    note: str = ""

    def __str__(self) -> str:
        verdict = "ok" if self.value <= self.most else f"TOO MUCH, {self.value / self.most:.2f} × the bar"
        return f"{self.what:34} {self.value:9.1f} {self.unit:8} bar {self.most:6.0f}   {verdict}   {self.note}"


class Loads(HTMLParser):
    """What a page loads before it is shown: styles, scripts, pictures."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag loads."""
        found = dict(attrs)
        if tag in {"script", "img"} and found.get("src"):
            self.addresses.append(found["src"] or "")
        if tag == "link" and "stylesheet" in (found.get("rel") or ""):
            self.addresses.append(found.get("href") or "")


def measure(command: list[str]) -> tuple[float, float]:
    """Wall seconds of a command that must end well, and the largest MB of any process since this one began."""
    start = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    took = time.monotonic() - start
    if ended.returncode:
        raise SystemExit(
            f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stdout[-3000:]}{ended.stderr[-6000:]}"
        )
    return took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / KB


def zipped(file: Path) -> int:
    """Bytes as a server would send them."""
    return len(gzip.compress(file.read_bytes(), 6))


def first_view(page: Path) -> tuple[int, dict[str, int]]:
    """Bytes, gzip, of a page and all it loads; and each part."""
    reader = Loads()
    reader.feed(page.read_text("utf-8"))
    files = {page} | {
        (page.parent / unquote(urlsplit(address).path)).resolve()
        for address in reader.addresses
        if address and not address.startswith(("data:", "http"))
    }
    parts = {file.name: zipped(file) for file in files if file.is_file()}
    return sum(parts.values()), dict(sorted(parts.items(), key=lambda part: -part[1]))


def copy_project(to: Path) -> None:
    """Copy what the site is built from."""
    shutil.copytree(ROOT / "docs", to / "docs", dirs_exist_ok=True)
    shutil.copytree(ROOT / "runbooks", to / "runbooks", dirs_exist_ok=True)
    shutil.copy(ROOT / "mkdocs.yml", to)
    if not (to / "checks").exists():
        (to / "checks").symlink_to(ROOT / "checks")


def artificial_runbooks(count: int) -> Iterator[tuple[str, str]]:
    """Make runbooks of five checks each, cut from a real one; file name and text."""
    text = (ROOT / "runbooks" / "ha.md").read_text("utf-8")
    book = read_runbook(ROOT / "runbooks" / "ha.md")
    starts = [placed.block.id for placed in book.checks()]
    blocks = re.findall(r"^```yaml \{\.check\}\n.*?^```\n", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == len(starts), "the built-in runbook is written in another way than this benchmark expects"
    prose = [part.text for part in book.parts if isinstance(part, Prose) and len(part.text) > 200]
    for number in range(count):
        first = number * BLOCKS_PER_PAGE
        chosen = {(first + i) % len(blocks): blocks[(first + i) % len(blocks)] for i in range(BLOCKS_PER_PAGE)}
        front = (
            f"---\ntitle: Artificial page {number}\nversion: 1.0.0\n"
            "changes:\n  - {version: 1.0.0, date: 2026-11-21, note: generated to fill a benchmark}\n---\n\n"
        )
        own = re.sub(r"\]\([^)]*\)", "]", prose[number % len(prose)])  # links lead to places that are not copied
        body = "\n".join(f"{own if i == 0 else ''}\n{block}" for i, block in enumerate(chosen.values()))
        yield f"artificial-{number:03}.md", front + body


def data(folder: Path, history: HistorySize, *, scorecard: bool) -> Path:
    """Write the history and its scorecard, unless they are there."""
    made = folder / "data"
    if not (made / "results").exists():
        start = time.monotonic()
        written = write_history(made / "results", history, lambda _: None)
        took = time.monotonic() - start
        print(
            f"history    {written.results} results in {took:.1f} s, {written.results / took:,.0f} a second", flush=True
        )
    if scorecard and not (made / "scorecard" / "scorecard.json").exists():
        command = [sys.executable, "-m", "runbook", "scorecard", str(made / "results"), "-o", str(made / "scorecard")]
        took, peak = measure(command)
        print(f"scorecard  {took:.1f} s, largest process {peak:.0f} MB", flush=True)
    return made


def count_pages(site: Path) -> int:
    """How many pages a built site has."""
    return len(list(site.rglob("*.html")))


def build(folder: Path, made: Path, *, profile: bool) -> tuple[float, float]:
    """Build strictly; seconds and peak MB."""
    shutil.rmtree(folder / "site", ignore_errors=True)
    program = ["-m", "cProfile", "-o", str(folder / "profile")] if profile else []
    command = [
        sys.executable,
        *program,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "-f",
        str(folder / "mkdocs.yml"),
    ]
    os.environ |= {"RUNBOOK_SITE_DATA": str(made), "NO_MKDOCS_2_WARNING": "1"}
    return measure(command)


def built(folder: Path, made: Path, pages: int) -> tuple[float, float]:
    """Build; where that made fewer pages than wanted, add artificial runbooks and build again; seconds and peak MB."""
    figures = build(folder, made, profile=False)
    there = count_pages(folder / "site")
    print(f"pages      {there} of its own, filled up to {max(there, pages)}", flush=True)
    if there >= pages:
        return figures
    for name, text in artificial_runbooks(pages - there):
        (folder / "runbooks" / name).write_text(text, encoding="utf-8")
    return build(folder, made, profile=False)


def tallest(pages: list[Path]) -> tuple[float, str]:
    """The screens of a phone that the longest of these pages fills, and which page that is."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=PHONE)  # type: ignore[arg-type] # a size
        found = []
        for file in pages:
            page.goto(file.as_uri(), wait_until="load")
            found.append((page.evaluate("document.documentElement.scrollHeight") / PHONE["height"], file.name))
        browser.close()
    return max(found)


def show(folder: Path, took: float, peak: float) -> None:
    """Print every figure beside its bar."""
    site = folder / "site"
    sizes = {file: file.stat().st_size for file in site.rglob("*") if file.is_file()}
    pages = sorted((file for file in sizes if file.suffix == ".html"), key=lambda file: -sizes[file])
    screens, longest = tallest(pages[:LOOKED_AT])
    view, parts = first_view(site / "scorecard" / "index.html")
    largest = ", ".join(f"{page.relative_to(site)} {sizes[page] / KB:.0f}" for page in pages[:6])
    print(f"{len(pages)} pages, {len(sizes)} files; build peak {peak:.0f} MB")
    for bar in (
        Bar(
            "strict build",
            took,
            80 * max(1, len(pages) / 1500),
            "s",
            f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        ),
        Bar("largest page", sizes[pages[0]] / KB, 200, "KB", largest),
        Bar("longest of the largest pages", screens, 15, "screens", f"{longest}, on a phone"),
        Bar("whole site", sum(sizes.values()) / MB, 45 * max(1, len(pages) / 1500), "MB"),
        Bar("index of the search", (site / "scripts" / "find-index.js").stat().st_size / MB, 1, "MB"),
        Bar("the theme's index", zipped(site / "search" / "search_index.json") / MB, 1, "MB gzip"),
        Bar("first view of the scorecard", view / KB, 150, "KB gzip"),
    ):
        print(bar)
    print("first view:", ", ".join(f"{name} {size / KB:.1f}" for name, size in parts.items()))
    by_folder: dict[str, int] = {}
    for file, size in sizes.items():
        top = file.relative_to(site).parts[0] if file.parent != site else "."
        by_folder[top] = by_folder.get(top, 0) + size
    heavy = sorted(by_folder.items(), key=lambda entry: -entry[1])
    print("by folder: ", ", ".join(f"{name} {size / MB:.1f} MB" for name, size in heavy if size > MB / 10))


def main() -> None:
    """Generate, build, measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, size in (("environments", 26), ("checks", 200), ("weeks", 52), ("pages", 1500)):
        parser.add_argument(f"--{name}", type=int, default=size)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--no-scorecard", action="store_true")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="benchmark-site-") as passing:
        folder = (asked.keep or Path(passing)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder).free < 4 * 1024 * MB:
            raise SystemExit(f"{folder}: 4 GB of free space are needed")
        history = HistorySize(UNTIL, asked.environments, asked.checks, asked.weeks)
        made = data(folder, history, scorecard=not asked.no_scorecard)
        shutil.rmtree(folder / "runbooks", ignore_errors=True)
        copy_project(folder)
        took, peak = built(folder, made, asked.pages)
        show(folder, took, peak)
        if asked.profile:
            build(folder, made, profile=True)
            pstats.Stats(str(folder / "profile")).sort_stats("cumulative").print_stats(60)


if __name__ == "__main__":
    main()
