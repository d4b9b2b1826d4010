"""What a runbook says of a page of the documentation can be followed at a terminal."""

import re
from pathlib import Path
from typing import Any

import pytest

from runbook.plugins.content import builtin_runbooks, site_sources

LEADING = sorted(path.stem for path in builtin_runbooks().glob("*.md") if "(../docs/" in path.read_text("utf-8"))


@pytest.mark.parametrize("runbook", LEADING)
def test_every_page_that_a_runbook_leads_to_is_shown_by_the_command_that_it_names(command: Any, runbook: str) -> None:
    shown = command("show", runbook).out
    assert "../docs/" not in shown
    linked = set(re.findall(r"\]\((docs/[^)]+)\)", shown))
    listed = re.findall(r"- `runbook (show docs/\S+)`", shown)
    assert {f"show {page}" for page in linked} == {*listed}
    for words in listed:
        page = command(*words.split())
        assert page.code == 0
        assert page.out.startswith("# ")
        assert "](../" not in page.out


def test_a_block_names_the_pages_of_its_own_prose(command: Any) -> None:
    leading = command("show", "ha#producers-wait-for-all-in-sync").out
    assert "([how](docs/how-to/inventory.md))" in leading
    assert leading.endswith("- `runbook show docs/how-to/inventory.md`\n")
    assert "runbook show docs/" not in command("show", "ha#brokers-agree").out
    assert command("show", "ha").out.count("- `runbook show docs/how-to/inventory.md`") == 1


def test_a_page_is_written_as_it_stands_where_that_is_asked_for(command: Any) -> None:
    page = site_sources() / "docs/how-to/drill.md"
    ended = command("show", "docs/how-to/drill.md#measure-one-environment", "-o", "markdown")
    assert (ended.code, ended.out) == (0, page.read_text("utf-8"))
    refused = command("show", "docs/how-to/drill.md", "-o", "json")
    assert (refused.code, refused.out) == (2, "")
    assert "is a page of the documentation, and text: --format markdown" in refused.err


def test_a_page_of_ones_own_takes_the_place_of_the_tools(command: Any, knowledge: Path) -> None:
    page = knowledge / "docs/how-to/inventory.md"
    page.parent.mkdir(parents=True)
    page.write_text(
        "# Ours\n\n[tool's](drill.md) [none](nothing.md) [made](../alerts.md) [far](https://a.b/c.md)\n", "utf-8"
    )
    shown = command("show", "docs/how-to/inventory.md").out
    assert shown.startswith("# Ours")
    assert "[tool's](docs/how-to/drill.md) [none](nothing.md) [made](../alerts.md) [far](https://a.b/c.md)" in shown


def test_no_other_file_is_a_page(command: Any, knowledge: Path) -> None:
    (knowledge / "docs/first.md").write_text((knowledge / "runbooks/first.md").read_text("utf-8"), "utf-8")
    assert "**In this runbook**" in command("show", "docs/first.md").out  # a runbook, wherever it lies
    for word in ("docs/nothing.md", "docs/../environments.yaml", "docs/../../x.md", "runbooks/nothing.md"):
        assert command("show", word).code == 2


def test_a_page_that_there_is_not_is_told_the_nearest(command: Any) -> None:
    ended = command("show", "docs/how-to/inventry.md")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("no page docs/how-to/inventry.md: did you mean docs/how-to/inventory.md")


def test_a_hostile_page_only_shows(command: Any, knowledge: Path) -> None:
    (knowledge / "docs/evil.md").write_text("# Evil\n\n\x1b[31mred\x1b[0m\n", "utf-8")
    assert "\x1b" not in command("show", "docs/evil.md").out


@pytest.mark.parametrize("word", ["install", "how-to/install.md", "install.md"])
def test_a_page_that_is_called_without_its_folder_is_named(command: Any, word: str) -> None:
    refused = command("show", word)
    assert refused.code == 2
    assert refused.err.endswith("; a page of help is: runbook show docs/how-to/install.md\n")
    assert "a page of help" not in command("show", "frobnicate").err
