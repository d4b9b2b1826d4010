"""Earlier versions of runbooks: those that releases had, found by the tags of real git repositories."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from runbook.parse.runbook import Runbook, read_runbook
from runbook.publish.page import UNSEARCHED, Page
from runbook.publish.versions import read_history, version_pages

TEXT = """---
title: Small
version: {version}
changes: [{{version: {version}, date: "2026-11-21", note: a change}}]
---

# Small

{words} <script>alert(1)</script>
"""


def _git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "user.name=T", "-c", "user.email=t@localhost", "-c", "init.defaultBranch=main"]
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *settings, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def _commit(folder: Path, version: str, words: str, tag: str = "") -> None:
    (folder / "small.md").write_text(TEXT.format(version=version, words=words), encoding="utf-8")
    _git(folder, "add", "small.md")
    _git(folder, "commit", "--quiet", "-m", f"{version}: {words}")
    if tag:
        _git(folder, "tag", "-a", tag, "-m", tag)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of runbooks within a repository: two releases, and versions that no release has."""
    folder = tmp_path / "project" / "runbooks"
    folder.mkdir(parents=True)
    _git(folder.parent, "init", "--quiet")
    _commit(folder, "0.9.0", "no release has these words")
    _commit(folder, "1.0.0", "first words", "v1.0.0")
    _commit(folder, "1.0.0", "better words", "v1.0.1")
    _commit(folder, "1.0.1", "no release has these words either")
    _commit(folder, "1.1.0", "other words", "v1.1.0")
    _commit(folder, "2.0.0", "last words")
    return folder


def _book(folder: Path) -> Runbook:
    return read_runbook(folder / "small.md")


def _pages(folder: Path) -> list[Page]:
    return list(version_pages(_book(folder), read_history(folder, [_book(folder)])))


def test_each_version_of_a_release_is_shown_as_it_last_was_released(folder: Path) -> None:
    pages = {page.path: page.text for page in _pages(folder)}
    assert list(pages) == ["runbooks/versions/small-1.1.0.md", "runbooks/versions/small-1.0.0.md"]
    assert "better words" in pages["runbooks/versions/small-1.0.0.md"]
    assert "first words" not in pages["runbooks/versions/small-1.0.0.md"]


def test_an_earlier_version_says_that_it_is_old_and_which_release_it_is_of(folder: Path) -> None:
    text = _pages(folder)[0].text
    assert "This is an old version." in text
    assert "as release <code>v1.1.0</code> of 2" in text
    assert 'href="../small.html"' in text
    assert text.startswith(UNSEARCHED)
    assert "<script>" not in text


def test_without_a_release_there_is_no_earlier_version_and_nothing_to_say(tmp_path: Path) -> None:
    _git(tmp_path, "init", "--quiet")
    _commit(tmp_path, "1.0.0", "first words")
    _commit(tmp_path, "1.1.0", "other words")
    history = read_history(tmp_path, [_book(tmp_path)])
    assert (list(history.of("small")), history.note_of("small")) == ([], "")


def test_a_release_of_another_branch_is_none_of_what_is_here(folder: Path) -> None:
    _git(folder, "checkout", "--quiet", "-b", "apart", "HEAD~1")
    _commit(folder, "1.2.0", "words of another branch", "v1.2.0")
    _git(folder, "checkout", "--quiet", "-")
    assert [one.version for one in read_history(folder, [_book(folder)]).of("small")] == ["1.1.0", "1.0.0"]


def test_what_is_here_is_no_earlier_version_even_when_it_was_released(folder: Path) -> None:
    _git(folder, "tag", "v2.0.0")  # a light tag is as good
    assert _pages(folder)[0].path == "runbooks/versions/small-1.1.0.md"
    (folder / "small.md").write_text(TEXT.format(version="3.0.0", words="new"), encoding="utf-8")
    assert _pages(folder)[0].path == "runbooks/versions/small-2.0.0.md"


def test_a_removed_runbook_has_no_versions(folder: Path) -> None:
    _git(folder, "mv", "small.md", "renamed.md")
    _git(folder, "commit", "--quiet", "-m", "rename")
    renamed = read_runbook(folder / "renamed.md")
    assert [earlier.version for earlier in read_history(folder, [renamed]).of("small")] == []


def test_outside_of_a_repository_the_reason_is_given(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "plain").mkdir()
    shutil.copy(folder / "small.md", tmp_path / "plain")
    history = read_history(tmp_path / "plain", [_book(tmp_path / "plain")])
    assert history.of("small") == ()
    assert history.note_of("small") == "Earlier versions are not shown: the folder of this runbook is not kept in git."
    assert history.note_of("ha") == ""  # a built-in runbook beside it, whose history is not here


def test_before_the_first_commit_the_reason_is_given(tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text(TEXT.format(version="1.0.0", words="new"), encoding="utf-8")
    _git(tmp_path, "init", "--quiet")
    note = read_history(tmp_path, [_book(tmp_path)]).note_of("small")
    assert note == "Earlier versions are not shown: nothing is committed in git yet."


def test_without_git_the_reason_is_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "git is not installed here" in read_history(folder, [_book(folder)]).note


def test_a_clone_whose_history_was_cut_off_says_so(folder: Path, tmp_path: Path) -> None:
    _git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{folder.parent}", "shallow")
    shallow = tmp_path / "shallow" / "runbooks"
    history = read_history(shallow, [_book(shallow)])
    assert history.of("small") == ()
    assert "its history was cut off" in history.note


def test_a_version_whose_head_cannot_be_read_is_left_out(folder: Path) -> None:
    (folder / "small.md").write_text("no head at all\n", encoding="utf-8")
    _git(folder, "commit", "--quiet", "--all", "-m", "a mistake")
    _git(folder, "tag", "v1.2.0")
    _commit(folder, "2.0.1", "mended")
    assert [one.version for one in read_history(folder, [_book(folder)]).of("small")] == ["1.1.0", "1.0.0"]
