"""The runbook of a new project, to be spoiled; fixtures of the file and of the cases of its check."""

from pathlib import Path

import pytest


@pytest.fixture
def first(knowledge: Path) -> Path:
    """The runbook that `runbook init` writes."""
    return knowledge / "runbooks/first.md"


@pytest.fixture
def cases(knowledge: Path) -> Path:
    """The cases of its check."""
    return knowledge / "tests/cases/first/enough-brokers.yaml"


def change(file: Path, old: str, new: str) -> None:
    """Write something else in a file, where it has this."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def block(kind: str, text: str) -> str:
    """A fenced block of this kind, to be added to a runbook."""
    return f"\n```yaml {{.{kind}}}\n{text}```\n"
