import base64
import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from runbook.plugins import shipped
from runbook.plugins.shipped import shipped_files


def recorded(package: Path, name: str, content: bytes, mode: str = "sha256") -> Any:
    """An entry of an installer's record."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return SimpleNamespace(
        hash=SimpleNamespace(mode=mode, value=digest),
        parts=(package.name, *Path(name).parts),
        locate=lambda: package / name,
    )


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of one module and one runbook, as recorded."""
    tmp_path = tmp_path / "package"
    for name in ("a.py", "content/runbooks/ha.md"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    files = [recorded(tmp_path, name, name.encode()) for name in ("a.py", "content/runbooks/ha.md")]
    beside = tmp_path.parent / "beside"
    beside.mkdir()
    (beside / "b.py").write_text("b.py")
    files.append(recorded(beside, "b.py", b"b.py"))
    command = recorded(tmp_path.parent, "bin/runbook", b"")
    command.parts = ("..", "bin", "runbook")
    monkeypatch.setattr(shipped, "distribution", lambda _: SimpleNamespace(files=[*files, command]))
    return tmp_path


def states(package: Path) -> dict[str, str]:
    return {file.name: file.state for file in shipped_files(package, runbooks=package / "content" / "runbooks")}


def test_what_nobody_touched_is_as_shipped(package: Path) -> None:
    assert states(package) == {
        "a.py": "as shipped",
        "beside/b.py": "as shipped",
        "content/runbooks/ha.md": "as shipped",
    }


def test_a_change_an_addition_and_a_loss_are_told_apart(package: Path) -> None:
    (package / "a.py").write_text("b")
    (package / "content" / "runbooks" / "ha.md").unlink()
    (package / "new.py").write_text("")
    (package.parent / "beside" / "b.py").write_text("c")
    (package.parent / "beside" / "d.py").write_text("")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "a.pyc").write_bytes(b"made when a module is loaded")
    assert states(package) == {
        "a.py": "changed",
        "beside/b.py": "changed",
        "beside/d.py": "added",
        "content/runbooks/ha.md": "missing",
        "new.py": "added",
    }


def test_without_a_record_nothing_is_known(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "distribution", lambda _: SimpleNamespace(files=None))
    assert set(states(package).values()) == {"not known"}

    def not_installed(_: str) -> Any:
        raise shipped.PackageNotFoundError

    monkeypatch.setattr(shipped, "distribution", not_installed)
    assert set(states(package).values()) == {"not known"}


def test_the_digest_is_that_of_the_content(package: Path) -> None:
    digests = {file.name: file.digest for file in shipped_files(package, runbooks=package / "content" / "runbooks")}
    assert digests["a.py"] == hashlib.sha256(b"a.py").hexdigest()
