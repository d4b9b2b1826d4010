"""A release: what it changes in the repository, and files that are refused as soon as one byte is another."""

import datetime as dt
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook import __version__
from runbook.cli.scaffold_files import lay_out
from support.documented import ROOT, titled
from support.release.cutting import cut
from support.release.files import SUMS, committed, make_files, sign

PAGE = "docs/how-to/install.md"
DAY = dt.date(2026, 12, 24)
BILL = {"bomFormat": "CycloneDX", "metadata": {"component": {"name": "kafka-runbook"}}, "components": []}
CHANGES = "# Changelog\n\nAll of it.\n\n## {}\n\n- A check more.\n\n## 0.1.0 (2026-11-24)\n\n- The first.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What a release touches, with one runbook of two lines of history."""
    root = tmp_path / "tree"
    lay_out(root, {})
    for name, text in {
        "docs/changelog.md": CHANGES.format("0.2.0 (unreleased)"),
        "checks/runbook/__init__.py": '"""Doc."""\n\n__version__ = "0.2.0.dev0"\n',
        PAGE: "pip install 'kafka_runbook-0.1.0-py3-none-any.whl[tls]'\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def texts(root: Path) -> dict[str, str]:
    return {str(file.relative_to(root)): file.read_text("utf-8") for file in root.rglob("*") if file.is_file()}


def test_a_cut_gives_what_is_unreleased_its_version_and_day(tree: Path) -> None:
    before = texts(tree)
    changed = cut(tree, "0.2.0", DAY)
    after = texts(tree)
    assert sorted(changed) == sorted(name for name in after if after[name] != before.get(name))
    dated = CHANGES.format("Unreleased\n\n## 0.2.0 (2026-12-24)")
    assert after["docs/changelog.md"] == dated
    assert '__version__ = "0.2.0"' in after["checks/runbook/__init__.py"]
    assert "kafka_runbook-0.2.0-py3-none-any.whl" in after[PAGE]
    assert "{version: 0.1.0, date: 2026-12-24, note: The first check}" in after["runbooks/first.md"]
    record = json.loads(after["runbooks/releases.json"])["releases"]
    assert [*record] == ["0.2.0"]
    assert [*record["0.2.0"]["first"]["checks"]] == ["enough-brokers"]


def test_what_comes_after_a_cut_is_cut_next(tree: Path) -> None:
    cut(tree, "0.2.0", DAY)
    log = tree / "docs" / "changelog.md"
    with pytest.raises(ValueError, match="says of nothing that it changed"):
        cut(tree, "0.3.0", DAY)
    log.write_text(log.read_text("utf-8").replace("## Unreleased\n", "## Unreleased\n\n- Another.\n"), "utf-8")
    before = texts(tree)["runbooks/first.md"]
    cut(tree, "0.3.0", DAY + dt.timedelta(days=7))
    assert texts(tree)["runbooks/first.md"] == before  # a version that was released keeps its day
    assert "## Unreleased\n\n## 0.3.0 (2026-12-31)\n\n- Another.\n\n## 0.2.0" in log.read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "version", "expected"),
    [
        ("docs/changelog.md", "0.2.0 (unreleased)", "0.2.0 (2026-12-23)", "0.2.0", "no heading of what is unreleased"),
        ("docs/changelog.md", "x", "x", "0.3.0", "calls what is unreleased 0.2.0, not 0.3.0"),
        ("docs/changelog.md", "- A check more.", "", "0.2.0", "says of nothing that it changed"),
        ("docs/changelog.md", "0.2.0 (unreleased)", "Unreleased", "0.2", "a version of three numbers"),
        ("runbooks/first.md", "severity: high", "severity: huge", "0.2.0", "severity"),
        (PAGE, "kafka_runbook-", "other-", "0.2.0", "has nothing like"),
    ],
)
def test_a_cut_of_what_is_wrong_changes_nothing(
    tree: Path, file: str, old: str, new: str, version: str, expected: str
) -> None:
    (tree / file).write_text((tree / file).read_text("utf-8").replace(old, new), "utf-8")
    before = texts(tree)
    with pytest.raises(ValueError, match=expected):
        cut(tree, version, DAY)
    assert texts(tree) == before


def test_a_version_is_cut_once(tree: Path) -> None:
    cut(tree, "0.2.0", DAY)
    log = tree / "docs" / "changelog.md"
    log.write_text(log.read_text("utf-8").replace("## Unreleased\n", "## Unreleased\n\n- Another.\n"), "utf-8")
    with pytest.raises(ValueError, match=r"has release 0\.2\.0; what was released stays as it was"):
        cut(tree, "0.2.0", DAY)


def test_only_what_is_committed_is_built(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    for words in (["init", "-q"], ["config", "user.email", "a@b.example"], ["config", "user.name", "a"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    (root / "kept").write_text("kept", "utf-8")
    subprocess.run(["git", "add", "kept"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-q", "-m", "first"], cwd=root, check=True)
    assert [file.name for file in committed(root, tmp_path / "once").iterdir()] == ["kept"]
    (root / "more").write_text("more", "utf-8")
    with pytest.raises(ValueError, match=r"not all is committed:\n\?\? more"):
        committed(root, tmp_path / "again")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The files of a release, signed with a throw-away key, and the line by which users know the key."""
    folder = tmp_path_factory.mktemp("release")
    (folder / "bill.json").write_text(json.dumps(BILL), "utf-8")
    for name in ("once", "again"):
        shutil.copytree(ROOT, folder / name, ignore=shutil.ignore_patterns(".*", "dist", "site", "tests", "shared"))
        shutil.copy(ROOT / ".gitignore", folder / name)
    out = folder / "out"
    made = make_files([folder / "once", folder / "again"], folder / "bill.json", out)
    assert made == [
        f"kafka_runbook-{__version__}-py3-none-any.whl",
        f"kafka_runbook-{__version__}.cdx.json",
        f"kafka_runbook-{__version__}.tar.gz",
        SUMS,
    ]
    assert sign(out, key(folder / "key")) == f"{SUMS}.sig"
    return out, signers(folder / "key")


def key(file: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(file)], check=True)
    return file


def signers(key_file: Path) -> Path:
    file = key_file.with_suffix(".signers")
    file.write_text(f"kafka-runbook {key_file.with_suffix('.pub').read_text('utf-8')}", "utf-8")
    return file


def verified(out: Path, known: Path) -> subprocess.CompletedProcess[str]:
    """Run what the page says."""
    line = ["/bin/sh", "-c", titled(PAGE, "verify a release")]
    environment = os.environ | {"SIGNERS": str(known)}
    return subprocess.run(line, cwd=out, env=environment, capture_output=True, text=True, timeout=800, check=False)


def test_a_release_is_verified_as_the_page_says(signed: tuple[Path, Path]) -> None:
    done = verified(*signed)
    assert done.returncode == 0, done.stderr
    assert 'Good "kafka-runbook-release" signature for kafka-runbook' in done.stdout
    assert done.stdout.count(": OK") == 3


def test_the_bill_of_materials_says_of_which_version_it_is(signed: tuple[Path, Path]) -> None:
    [bill] = signed[0].glob("*.cdx.json")
    assert json.loads(bill.read_bytes())["metadata"]["component"]["version"] == __version__


def a_byte(pattern: str) -> Callable[[Path], None]:
    """Change one byte in the middle of a file."""

    def change(out: Path) -> None:
        [file] = out.glob(pattern)
        held = bytearray(file.read_bytes())
        held[len(held) // 2] ^= 1
        file.write_bytes(held)

    return change


def summed_again(out: Path) -> None:
    """Change the wheel and its digest: what somebody does who can write both."""
    a_byte("*.whl")(out)
    names = sorted(path.name for path in out.iterdir() if not path.name.startswith(SUMS))
    output = subprocess.run(["sha256sum", *names], cwd=out, check=True, capture_output=True, text=True).stdout
    (out / SUMS).write_text(output, "utf-8")


def signed_by_another(out: Path) -> None:
    (out / f"{SUMS}.sig").unlink()
    sign(out, key(out.parent / "another"))


def signed_for_something_else(out: Path) -> None:
    (out / f"{SUMS}.sig").unlink()
    line = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(out.parent / "key"), "-n", "file", str(out / SUMS)]
    subprocess.run(line, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (a_byte("*.whl"), "py3-none-any.whl: FAILED"),
        (a_byte("*.tar.gz"), "tar.gz: FAILED"),
        (a_byte("*.cdx.json"), "cdx.json: FAILED"),
        (a_byte(SUMS), "Could not verify signature"),
        (summed_again, "Could not verify signature"),
        (signed_by_another, "Could not verify signature"),
        (signed_for_something_else, "Could not verify signature"),
        (lambda out: next(out.glob("*.whl")).unlink(), "FAILED open or read"),
        (lambda out: (out / f"{SUMS}.sig").unlink(), "read signature file"),
    ],
)
def test_what_is_not_as_it_was_signed_is_refused(
    signed: tuple[Path, Path], tmp_path: Path, change: Callable[[Path], None], expected: str
) -> None:
    out, known = signed
    here = tmp_path / "out"
    shutil.copytree(out, here)
    shutil.copy(known.with_suffix(""), tmp_path / "key")
    change(here)
    done = verified(here, known)
    assert done.returncode != 0
    assert expected in done.stdout + done.stderr


def test_sources_that_give_other_bytes_are_not_released(tmp_path: Path) -> None:
    system = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
    project = f'{system}[project]\nname = "a"\nversion = "1"\n'
    for name in ("once", "again"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(project, "utf-8")
        (tmp_path / name / "a.py").write_text(f"made = {name!r}\n", "utf-8")
    with pytest.raises(ValueError, match="what was built from the same sources differs"):
        make_files([tmp_path / "once", tmp_path / "again"], tmp_path / "bill", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_words_it_says_what_to_write(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests")}
    line = [sys.executable, "-m", "support.release", "sign"]
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=800, check=False)
    assert (done.returncode, done.stderr) == (2, "write: cut VERSION, or dist OUT BILL KEY\n")
