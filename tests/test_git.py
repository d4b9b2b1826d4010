"""A repository of somebody else's is read, and nothing in it is run: each way git has of running something is tried."""

import os
import subprocess
from pathlib import Path

import pytest

from runbook import git
from runbook.lint.versions import unversioned_changes
from runbook.parse.runbook import read_runbook
from runbook.publish.versions import read_history

WHO = ("-c", "user.name=ada", "-c", "user.email=ada@lab", "-c", "commit.gpgsign=false")
TEXT = """---
title: Small
version: {version}
changes: [{{version: {version}, date: "2026-11-21", note: a change}}]
---

# Small
"""
SIGNED = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"


def by_hand(folder: Path, *arguments: str, given: str = "") -> str:
    done = subprocess.run(
        ["git", *WHO, *arguments], cwd=folder, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark beside itself when it is run."""
    program = tmp_path / "trap"
    program.write_text(f'#!/bin/sh\ntouch "{tmp_path}/sprung"\nexit 1\n')
    program.chmod(0o755)
    return program


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A checkout with two versions of a runbook, a tag at the first, and a signature on the last commit."""
    folder = tmp_path / "knowledge"
    folder.mkdir()
    by_hand(folder, "init", "-q")
    book = folder / "small.md"
    book.write_text(TEXT.format(version="1.0.0"))
    by_hand(folder, "add", ".")
    by_hand(folder, "commit", "-q", "-m", "first")
    by_hand(folder, "tag", "v1")
    book.write_text(TEXT.format(version="1.0.1"))
    by_hand(folder, "commit", "-q", "-a", "-m", "second")
    raw = by_hand(folder, "cat-file", "commit", "HEAD")
    head, _, message = raw.partition("\n\n")
    signed = by_hand(folder, "hash-object", "-t", "commit", "-w", "--stdin", given=f"{head}\n{SIGNED}\n\n{message}\n")
    by_hand(folder, "update-ref", "HEAD", signed)
    return folder


def partial(repository: Path, how: str) -> None:
    """Make the clone a partial one that lacks the runbook of its tag, with a place to fetch it from."""
    blob = by_hand(repository, "rev-parse", "v1:small.md")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": how,
    }.items():
        by_hand(repository, "config", key, value)


SETTINGS = {
    "a hook for the index": {"core.fsmonitor": "{trap}"},
    "hooks": {"core.hooksPath": "{folder}"},
    "a pager": {"core.pager": "{trap}", "pager.log": "{trap}"},
    "a check of signatures": {"log.showSignature": "true", "gpg.program": "{trap}"},
    "a way to show Markdown": {"diff.evil.textconv": "{trap}", "diff.evil.command": "{trap}"},
    "a filter": {"filter.evil.smudge": "{trap}", "filter.evil.clean": "{trap}", "filter.evil.process": "{trap}"},
    "ssh": {"core.sshCommand": "{trap}", "protocol.ssh.allow": "always", "how": "ssh://git@127.0.0.1/x"},
    "a transport of its own": {"protocol.ext.allow": "always", "how": "ext::{trap} x"},
    "a program at the other end": {
        "protocol.file.allow": "always",
        "remote.origin.uploadpack": "{trap}",
        "how": "file:///tmp",
    },
    "a proxy": {"core.gitProxy": "{trap}", "protocol.git.allow": "always", "how": "git://127.0.0.1:1/x"},
}


def set_up(repository: Path, trap: Path, case: str) -> None:
    settings = {key: value.format(trap=trap, folder=trap.parent) for key, value in SETTINGS[case].items()}
    if how := settings.pop("how", ""):
        partial(repository, how)
    for key, value in settings.items():
        by_hand(repository, "config", key, value)
    (repository / ".git" / "info" / "attributes").write_text("*.md diff=evil filter=evil\n")
    for hook in ("post-index-change", "reference-transaction"):
        (trap.parent / hook).write_bytes(trap.read_bytes())
        (trap.parent / hook).chmod(0o755)


@pytest.mark.parametrize("case", SETTINGS)
def test_lint_and_the_pages_of_versions_run_nothing_of_the_repository(repository: Path, trap: Path, case: str):
    set_up(repository, trap, case)
    list(unversioned_changes(read_runbook(repository / "small.md"), ""))
    read_history(repository, [read_runbook(repository / "small.md")])
    assert not (trap.parent / "sprung").exists()


CAREFREE = {
    "a check of signatures": ["log", "-1"],
    "a way to show Markdown": ["show", "--textconv", "v1:small.md"],
    "ssh": ["show", "v1:small.md"],
    "a transport of its own": ["show", "v1:small.md"],
    "a program at the other end": ["show", "v1:small.md"],
    "a hook for the index": ["status"],
}


@pytest.mark.parametrize("case", CAREFREE)
def test_the_traps_are_real_git_itself_springs_them(repository: Path, trap: Path, case: str):
    set_up(repository, trap, case)
    subprocess.run(["git", *CAREFREE[case]], cwd=repository, capture_output=True, check=False, timeout=20)
    assert (trap.parent / "sprung").exists()


def test_a_repository_that_hides_in_a_folder_is_not_taken_for_the_folders_own(tmp_path: Path):
    hidden = tmp_path / "plain" / "hidden"
    hidden.mkdir(parents=True)
    by_hand(hidden, "init", "-q", "--bare", ".")
    with pytest.raises(git.NoAnswer):
        git.ask(hidden, "rev-parse", "--git-dir", patience=20)


def test_without_git_it_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(git.NoAnswer, match="not installed"):
        git.ask(tmp_path, "version", patience=20)
    assert "GIT_ALLOW_PROTOCOL" not in os.environ
