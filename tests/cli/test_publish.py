"""`runbook publish`: what it is told, what it says; releases themselves are tested in tests/publish/test_release.py."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

MKDOCS = "site_name: Small\nuse_directory_urls: false\nplugins: {search: {}}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site of one page."""
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "mkdocs.yml").write_text(MKDOCS, encoding="utf-8")
    (root / "docs" / "index.md").write_text("# Small\n\nThe first words.\n", encoding="utf-8")
    return root


def _publish(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runbook", "publish", *arguments]
    environment = os.environ | {"NO_COLOR": "1"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=800)


def test_the_site_and_its_archive_are_published(root: Path) -> None:
    done = _publish(root, "web")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("published: web/current is now ")
    assert done.stdout.endswith("; open web/current/index.html\n")
    assert "note: there is no folder site-data, so that no scorecard and no evidence is shown" in done.stderr
    current = root / "web" / "current"
    assert "The first words." in (current / "index.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(current / "offline.zip") as archive:
        assert "kafka-runbooks/index.html" in archive.namelist()
    assert [folder.name for folder in (root / "web" / "releases").iterdir()] == [current.resolve().name]


def test_a_warning_of_the_build_leaves_the_site_as_it_was(root: Path) -> None:
    assert _publish(root, "web").returncode == 0
    before = (root / "web" / "current").resolve()
    (root / "docs" / "index.md").write_text("# Small\n\n[Nowhere](nowhere.md)\n", encoding="utf-8")
    done = _publish(root, "web")
    assert done.returncode == 2
    assert "the site could not be built" in done.stderr
    assert "nowhere.md" in done.stderr
    assert "Traceback" not in done.stderr
    assert (root / "web" / "current").resolve() == before


def test_outside_of_a_checkout_it_says_what_is_missing(tmp_path: Path) -> None:
    done = _publish(tmp_path, "web")
    assert done.returncode == 2
    assert "mkdocs.yml is missing: run this beside a runbook.yaml, which runbook init writes, or" in done.stderr
    assert not (tmp_path / "web").exists()


def test_the_number_of_releases_to_keep_is_checked_before_building(root: Path) -> None:
    done = _publish(root, "web", "--keep", "0")
    assert done.returncode == 2
    assert "--keep 0" in done.stderr
    assert not (root / "web").exists()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A knowledge base as `runbook init` begins it, with a diagnostic that names a check of its own and another."""
    folder = tmp_path / "ours"
    command = [sys.executable, "-m", "runbook", "init", str(folder)]
    subprocess.run(command, check=True, capture_output=True, timeout=800)
    with (folder / "runbooks" / "first.md").open("a", encoding="utf-8") as book:
        book.write(
            "\n```yaml {.diagnostic}\nid: too-few\ntitle: Too few brokers\nsymptom: A broker is gone.\n"
            "causes:\n  - {cause: It stopped, checks: [enough-brokers, ha/every-broker-answers], remedy: Start it.}\n"
            "```\n"
        )
    return folder


def test_a_project_is_published_with_its_runbooks_as_full_pages(project: Path) -> None:
    settings = (project / "runbook.yaml").read_text("utf-8")
    assert "builtin: true" in settings
    (project / "runbook.yaml").write_text(settings.replace("builtin: true", "builtin: [gc, dr]"), encoding="utf-8")
    below = project / "docs" / "incidents" / "2026" / "a-broker.md"
    below.parent.mkdir(parents=True)
    below.write_text("# A broker was away\n", encoding="utf-8")
    (project / "docs" / "incidents" / "index.md").write_text("# What went wrong\n", encoding="utf-8")
    done = _publish(project, "web")
    assert done.returncode == 0, done.stderr
    current = project / "web" / "current"
    page = (current / "runbooks" / "first.html").read_text(encoding="utf-8")
    assert 'id="enough-brokers"' in page
    check = (current / "runbooks" / "first" / "enough-brokers.html").read_text(encoding="utf-8")
    assert "Start the broker that is missing" in check
    assert 'id="too-few"' in page
    pages = {"index.html", "first.html", "gc.html", "dr.html"}
    assert {file.name for file in (current / "runbooks").glob("*.html")} == pages
    listed = (current / "runbooks" / "index.html").read_text(encoding="utf-8")
    assert listed.count("<small>our own</small>") == listed.count("our own</span>") == 1  # navigation and list
    for place in ('<nav class="md-nav md-nav--primary', "<tbody>"):  # both in one order: ours, then the rest by title
        assert re.findall('href="((?:first|gc|dr)[.]html)"', listed.partition(place)[2])[:3] == [
            "first.html",
            "dr.html",
            "gc.html",
        ]
    assert "<title>Our Kafka runbooks</title>" in (current / "index.html").read_text(encoding="utf-8")  # once
    assert "OurKafkaBrokerDown" in (current / "alerts.html").read_text(encoding="utf-8")
    first = (current / "index.html").read_text(encoding="utf-8")
    assert 'href="incidents/index.html"' in first
    assert "What went wrong" in first
    section = (current / "incidents" / "index.html").read_text(encoding="utf-8")
    assert 'href="2026/a-broker.html"' in section
    assert (current / "reference" / "blocks.html").is_file()
    assert (current / "how-to" / "inventory.html").is_file()


def test_a_project_without_a_first_page_or_a_whole_runbook_publishes_nothing(project: Path) -> None:
    (project / "docs" / "index.md").unlink()
    done = _publish(project, "web")
    assert done.returncode == 2
    assert "docs/index.md is missing, the first page of the site" in done.stderr
    (project / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    (project / "runbooks" / "second.md").write_text("no head\n", encoding="utf-8")
    done = _publish(project, "web")
    assert done.returncode == 2
    assert "second.md:1:1  no front matter" in done.stderr
    assert not (project / "web" / "current").exists()


@pytest.mark.parametrize(
    ("text", "to", "said"),
    [
        ("", "\nSee [the other](nope.md).\n", 'the link to "nope.md" leads nowhere'),
        ("params.least", "params.leest", 'unknown name "params.leest" in the expect.that'),
    ],
    ids=["a link that leads nowhere", "an expression that nobody can judge"],
)
def test_a_runbook_with_a_mistake_is_not_published(project: Path, text: str, to: str, said: str) -> None:
    file = project / "runbooks" / "first.md"
    before = file.read_text("utf-8")
    file.write_text(before.replace(text, to, 1) if text else before + to, "utf-8")
    lint = subprocess.run(
        [sys.executable, "-m", "runbook", "lint"], cwd=project, capture_output=True, text=True, check=False, timeout=800
    )
    done = _publish(project, "web")
    assert done.returncode == lint.returncode == 2
    assert said in done.stderr
    assert done.stderr.strip() in lint.stdout
    assert not (project / "web").exists()


def test_a_mistake_in_a_page_of_ones_own_is_told_of_ones_own_files(project: Path) -> None:
    with (project / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n[Nowhere](nowhere.md)\n")
    done = _publish(project, "web")
    assert done.returncode == 2
    assert "the site could not be built from runbook.yaml:\n" in done.stderr
    assert "'index.md' contains a link 'nowhere.md'" in done.stderr
    assert "runbook-site-" not in done.stderr
