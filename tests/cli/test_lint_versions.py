"""A check that changes gets a new version: it is compared with the last tag, and with what was recorded of releases."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.own_runbook import change


@pytest.mark.parametrize(
    ("version", "changes", "said"),
    [
        ("0.2.0", [("0.1.0", "2026-01-01")], "version is 0.2.0, the first of changes 0.1.0"),
        ("0.1.0", [("0.1.0", "2026-01-01"), ("0.2.0", "2025-01-01")], "0.2.0 stands below 0.1.0"),
        ("0.10.0", [("0.10.0", "2026-01-01"), ("0.9.0", "2026-02-01")], "is younger than 0.10.0"),
        ("0.1.0", [("0.1.0", "2026-02-30")], "2026-02-30 is no date"),
    ],
)
def test_version_and_changes_must_agree(
    command: Any, first: Path, version: str, changes: list[tuple[str, str]], said: str
):
    entries = ", ".join(f'{{version: {number}, date: "{date}", note: A note}}' for number, date in changes)
    _, _, rest = first.read_text().partition("summary:")
    first.write_text(f"---\ntitle: A title\nversion: {version}\nchanges: [{entries}]\nsummary:{rest}")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert said in ended.out
    assert ended.out.startswith("runbooks/first.md:")


def test_versions_are_compared_as_numbers(command: Any, first: Path):
    entries = '[{version: 0.10.0, date: "2026-02-01", note: new}, {version: 0.9.0, date: "2026-01-01", note: old}]'
    _, _, rest = first.read_text().partition("summary:")
    first.write_text(f"---\ntitle: A title\nversion: 0.10.0\nchanges: {entries}\nsummary:{rest}")
    assert command("lint", "runbooks/first.md").code == 0


@pytest.fixture
def released(knowledge: Path):
    """The knowledge base under Git, with a tag on it as it is."""

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=knowledge, check=True, capture_output=True)

    git("init", "-q")
    git("add", "runbooks")
    git("commit", "-q", "-m", "first")
    git("tag", "v1")
    return git


def raise_version(runbook: Path) -> None:
    """Give a runbook of version 0.1.0 the version 0.2.0, with a note."""
    change(runbook, "version: 0.1.0\nchanges:", "version: 0.2.0\nchanges:")
    change(runbook, "  - {version: 0.1.0", "  - {version: 0.2.0, date: 2026-02-01, note: Two}\n  - {version: 0.1.0")


@pytest.mark.usefixtures("released")
def test_a_check_changed_since_the_last_tag_needs_a_new_version(command: Any, first: Path):
    change(first, "default: 3", "default: 2")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "first/enough-brokers is another check than in v1, under the same version 0.1.0" in ended.out
    raise_version(first)
    assert command("lint", "runbooks/first.md").code == 0


@pytest.mark.usefixtures("released")
def test_new_wording_needs_no_new_version(command: Any, first: Path):
    change(first, "effect: one more", "effect: a further")
    assert command("lint", "runbooks/first.md").code == 0


def test_since_names_the_tag_to_compare_with(command: Any, first: Path, released: Any):
    change(first, "default: 3", "default: 2")
    released("commit", "-q", "-a", "-m", "second")
    released("tag", "v2")
    assert command("lint", "runbooks/first.md").code == 0
    assert command("lint", "runbooks/first.md", "--since", "v1").code == 2


@pytest.mark.usefixtures("released")
def test_a_tag_that_is_not_there_is_said_only_where_it_was_named(command: Any):
    ended = command("lint", "runbooks/first.md", "--since", "--output=x")
    assert ended.code == 2
    assert "no such tag" in ended.err
    assert command("lint", "runbooks/first.md").code == 0


@pytest.mark.usefixtures("released")
def test_without_git_there_is_nothing_to_compare_with(command: Any, first: Path, monkeypatch: pytest.MonkeyPatch):
    change(first, "default: 3", "default: 2")
    monkeypatch.setenv("PATH", "/nowhere")
    assert command("lint", "runbooks/first.md").code == 0
    assert command("lint", "runbooks/first.md", "--since", "v1").code == 2


def test_a_recorded_release_is_compared_with_where_no_tag_reached(command: Any, first: Path):
    ended = command("lint", "runbooks/first.md", "--release", "1.0.0")
    assert (ended.code, "release 1.0.0 is recorded in runbooks/releases.json" in ended.err) == (0, True)
    assert command("lint", "runbooks/first.md").code == 0
    change(first, "default: 3", "default: 2")
    ended = command("lint", "runbooks/first.md")
    assert ended.code == 2
    assert "first/enough-brokers is another check than in release 1.0.0, under the same version 0.1.0" in ended.out
    raise_version(first)
    assert command("lint", "runbooks/first.md", "--release", "1.10.0").code == 0
    change(first, "default: 2", "default: 1")
    assert "than in release 1.10.0, under the same version 0.2.0" in command("lint", "runbooks/first.md").out


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.0", 'write a version of three numbers, as in "1.0.0"'),
        ("v1.0.0", 'write a version of three numbers, as in "1.0.0"'),
        ("0.9.0", "has release 0.10.0; what was released stays as it was"),
        ("0.10.0", "has release 0.10.0; what was released stays as it was"),
    ],
)
def test_a_release_that_can_not_be_recorded_is_refused(command: Any, first: Path, release: str, said: str):
    assert command("lint", "runbooks/first.md", "--release", "0.10.0").code == 0
    before = first.with_name("releases.json").read_bytes()
    ended = command("lint", "runbooks/first.md", "--release", release)
    assert (ended.code, said in ended.err) == (2, True)
    assert first.with_name("releases.json").read_bytes() == before


def test_nothing_is_recorded_of_runbooks_with_mistakes(command: Any, first: Path):
    change(first, "probe: kafka_broker", "probe: kafka_brokers")
    assert command("lint", "runbooks/first.md", "--release", "1.0.0").code == 2
    assert not first.with_name("releases.json").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"releases": {"1.x": {}}}', '{"releases": {"1.0.0": {"first": {}}}}'])
def test_a_spoiled_record_of_releases_is_said(command: Any, first: Path, text: str):
    first.with_name("releases.json").write_text(text, "utf-8")
    ended = command("lint", "runbooks/first.md")
    assert (ended.code, "releases.json is no record of releases" in ended.err) == (2, True)
