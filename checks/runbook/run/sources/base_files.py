"""Files as a commit of git has them, read object by object: nothing is checked out, and no filter is run."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from runbook.git import NoAnswer, ask
from runbook.model.errors import UsageError

MANIFESTS: Final = (".yaml", ".yml", ".json")
_PATIENCE: Final = 30.0
"""Seconds for each question to git: our judgement, a repository of 100,000 files answers in one."""


def files_at(ref: str, paths: Sequence[str], into: Path, endings: tuple[str, ...] = MANIFESTS) -> list[str]:
    """Write the files of a commit below a folder; gives the paths as they are there.

    Args:
        ref: a branch, tag or commit.
        paths: as the command names them, below the working directory.
        into: an empty folder.
        endings: of the names of those files that are meant.

    Raises:
        UsageError: git does not know the commit, or a path is not below the working directory.
    """
    for path in paths:
        if path == "-" or Path(path).is_absolute() or ".." in Path(path).parts:
            raise UsageError(f"--base compares files below the working directory with those of {ref}, and not {path}")
    try:
        for name, content in _blobs(ref, endings):
            file = into / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except NoAnswer as reason:
        there = "not a git repository" not in str(reason)
        remedy = "fetch it first, as by actions/checkout with fetch-depth: 0" if there else "run it in a clone"
        raise UsageError(f"--base {ref}: {reason}; {remedy}") from reason
    return [str(into / path) for path in paths]


def _blobs(ref: str, endings: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """The files of a commit below the working directory, by their path from there."""
    here = Path.cwd()
    if ref.startswith("-"):
        raise NoAnswer("no commit is called so")
    commit = ask(here, "rev-parse", "--verify", f"{ref}^{{commit}}", patience=_PATIENCE).decode().strip()
    listed = ask(here, "ls-tree", "-r", "-z", commit, patience=_PATIENCE).decode(errors="surrogateescape")
    entries = [entry.partition("\t") for entry in listed.split("\0") if entry.startswith("100")]
    wanted = [(name, about.split(" ")[2]) for about, _, name in entries if name.endswith(endings)]
    given = "".join(f"{blob}\n" for _, blob in wanted).encode()
    whole = ask(here, "cat-file", "--batch", patience=_PATIENCE, given=given) if wanted else b""
    at = 0
    for name, _ in wanted:
        end = whole.index(b"\n", at)
        size = int(whole[at:end].split(b" ")[2])
        yield name, whole[end + 1 : end + 1 + size]
        at = end + size + 2
