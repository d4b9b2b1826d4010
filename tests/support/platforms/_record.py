"""Record the facts of a lab of one broker: `python -m support.platforms._record` (with tests/ on the path)."""

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import kafka_lab as labs
from support.platforms.development import RECORDED

_RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))


def main() -> None:
    """Start it, look with every runbook, and keep what was seen."""
    with tempfile.TemporaryDirectory(dir="/var/lib") as folder:
        home = Path(folder)
        try:
            lab = labs.up("one", home=home, progress=lambda _: None, with_parts=["development"])
            seen = home / "seen.json"
            inventory = Path(lab.folder, "environments.yaml")
            line = [_RUNBOOK, "check", "-i", str(inventory), "--deadline", "60s", "--save", str(seen), "-f", "json"]
            subprocess.run(line, capture_output=True, check=False, timeout=120)
            RECORDED.write_bytes(gzip.compress(seen.read_bytes(), 9, mtime=0))
        finally:
            labs.down("one", home=home)


if __name__ == "__main__":
    main()
