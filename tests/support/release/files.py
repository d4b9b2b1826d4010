"""The files of a release: built twice with the same bytes, and listed with their digests in a list that is signed."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SUMS: Final = "SHA256SUMS"
NAMESPACE: Final = "kafka-runbook-release"
"""What a signature is for, so that one that the key made for something else is none."""
_PATIENCE: Final = 300  # seconds for one build, which takes two on a machine that is not busy


def committed(root: Path, folder: Path) -> Path:
    """The sources as they are committed, in a folder of their own.

    Raises:
        ValueError: something is not committed, so that nobody else could build the same.
    """
    if changed := _git(root, "status", "--porcelain").decode().strip():
        raise ValueError(f"not all is committed:\n{changed}")
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=_git(root, "archive", "HEAD"), check=True)
    return folder


def make_files(sources: Sequence[Path], bill: Path, out: Path) -> list[str]:
    """Build from each of the sources, and put the files and the bill of materials into a new folder, with their sums.

    Args:
        sources: the same sources in several folders.
        bill: what the release is made of, in CycloneDX.
        out: the folder.

    Raises:
        ValueError: what was built differs, or the folder is not empty.
    """
    if out.exists() and any(out.iterdir()):
        raise ValueError(f"{out} is not empty: remove it")
    builds = [_built(source) for source in sources]
    digests = [{file.name: _digest(file) for file in build} for build in builds]
    if any(digest != digests[0] for digest in digests):
        raise ValueError(f"what was built from the same sources differs: {digests}")
    out.mkdir(parents=True, exist_ok=True)
    for file in builds[0]:
        shutil.copy(file, out)
    [wheel] = [file for file in builds[0] if file.suffix == ".whl"]
    version = wheel.name.split("-")[1]
    parts = json.loads(bill.read_bytes())
    parts["metadata"]["component"]["version"] = version  # the sources say it where CycloneDX's tool does not look
    (out / f"kafka_runbook-{version}.cdx.json").write_text(json.dumps(parts, indent=1, sort_keys=True) + "\n", "utf-8")
    names = sorted(file.name for file in out.iterdir())
    (out / SUMS).write_text("".join(f"{_digest(out / name)}  {name}\n" for name in names), "utf-8")
    return [*names, SUMS]


def sign(out: Path, key: Path) -> str:
    """Sign the sums with an SSH key; gives the name of the file.

    Raises:
        subprocess.CalledProcessError: the key can't be used.
    """
    line = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(out / SUMS)]
    subprocess.run(line, check=True, capture_output=True, text=True)
    return f"{SUMS}.sig"


def _built(source: Path) -> list[Path]:
    folder = source / "dist"
    line = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(source)]
    subprocess.run(line, check=True, capture_output=True, text=True, timeout=_PATIENCE)
    return sorted(folder.iterdir())


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _git(root: Path, *words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, timeout=_PATIENCE).stdout
