"""Record the facts of a lab as a platform: `python -m support.platforms._record NAME` (with tests/ on the path)."""

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import kafka_lab as labs

_RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
_LABS: Final = {
    "development": (1, ["development"]),
    "machines_with_zookeeper": (6, ["zookeeper", "hosts"]),
}
"""Platform → brokers and parts of its lab."""


def main(name: str) -> None:
    """Start it, look with every runbook, and keep what was seen."""
    brokers, parts = _LABS[name]
    with tempfile.TemporaryDirectory(dir="/var/lib") as folder:
        home = Path(folder)
        home.chmod(0o755)  # brokers on hosts run under a user of their own
        try:
            lab = labs.up("one", home=home, progress=print, brokers=brokers, with_parts=parts)
            if lab.left_out:
                raise SystemExit(f"the lab runs without {lab.left_out}")
            seen = home / "seen.json"
            inventory = Path(lab.folder, "environments.yaml")
            line = [_RUNBOOK, "check", "-i", str(inventory), "--deadline", "60s", "--save", str(seen), "-f", "json"]
            subprocess.run(line, capture_output=True, check=False, timeout=800)
            Path(__file__).with_name(f"{name}.json.gz").write_bytes(gzip.compress(seen.read_bytes(), 9, mtime=0))
        finally:
            labs.down("one", home=home)


if __name__ == "__main__":
    main(*sys.argv[1:])
