"""What is installed is what was built: the wheel carries the runbooks, and works without the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without any network, and unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the unpacked package, away from the checkout."""
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    command = [sys.executable, "-m", "runbook", *arguments]
    return subprocess.run(
        command, cwd=unpacked, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_wheel_ships_the_runbooks_as_they_are(unpacked: Path):
    for runbook in (ROOT / "runbooks").glob("*.md"):
        assert (unpacked / "runbook" / "content" / "runbooks" / runbook.name).read_bytes() == runbook.read_bytes()


def test_the_wheel_lists_and_judges_without_the_checkout(unpacked: Path):
    listed = run(unpacked, "list", "ha")
    assert listed.returncode == 0, listed.stderr
    assert str(unpacked) in listed.stdout or "built-in" in listed.stdout
    bundle = ROOT / "tests" / "cases" / "ha" / "healthy.json"
    judged = run(unpacked, "check", "ha", "--from", str(bundle))
    assert " 0 fail " in judged.stdout, judged.stderr
    assert "built-in" in judged.stdout


def test_the_wheel_runs_its_workers_without_the_checkout(unpacked: Path, tmp_path: Path):
    inventory = tmp_path / "environments.yaml"
    inventory.write_text("environments: {gone: {kafka: {bootstrap.servers: 127.0.0.1:1}}}\n", "utf-8")
    judged = run(unpacked, "check", "ha", "-i", str(inventory), "--deadline", "5s")
    assert judged.returncode == 3, judged.stderr
    assert "connection refused" in judged.stdout
