"""Files of a commit are those that git keeps, below the working directory, and nothing of the repository is run."""

import subprocess
from pathlib import Path

import pytest

from runbook.model.errors import UsageError
from runbook.run.sources.base_files import files_at

NAMED = ("-c", "user.email=a@example.com", "-c", "user.name=a", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *NAMED, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A commit called old, of which the files changed since; the working directory is a folder in it."""
    top = tmp_path / "repository"
    (top / "team" / "deploy").mkdir(parents=True)
    git(top, "init", "-q")
    (top / "team" / "deploy" / "a b.yaml").write_bytes(b"a: 1\n\n")
    (top / "team" / "deploy" / "ü.json").write_bytes(b"")
    (top / "team" / "notes.md").write_text("x")
    (top / "other.yaml").write_text("x")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "x")
    git(top, "tag", "old")
    (top / "team" / "deploy" / "a b.yaml").write_text("a: 2\n")
    monkeypatch.chdir(top / "team")
    return top


def test_manifests_below_the_working_directory_are_those_of_the_commit(repository: Path, tmp_path: Path) -> None:
    into = tmp_path / "into"
    assert files_at("old", ["deploy/*.yaml", "deploy"], into) == [f"{into}/deploy/*.yaml", f"{into}/deploy"]
    found = {str(file.relative_to(into)): file.read_bytes() for file in into.rglob("*") if file.is_file()}
    assert found == {"deploy/a b.yaml": b"a: 1\n\n", "deploy/ü.json": b""}
    assert repository.is_dir()


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("ref", ["nothing", "--help", "old:team"])
def test_a_commit_that_there_is_not_is_told_with_the_remedy(tmp_path: Path, ref: str) -> None:
    with pytest.raises(UsageError, match=r"fetch-depth: 0"):
        files_at(ref, ["deploy"], tmp_path / "into")


def test_a_folder_that_is_no_clone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="run it in a clone"):
        files_at("old", ["deploy"], tmp_path / "into")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("path", ["-", "/etc", "../x.yaml"])
def test_paths_that_no_commit_has_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(UsageError, match="below the working directory"):
        files_at("old", [path], tmp_path / "into")
