"""A roll-up in a process of its own, where Spark starts and ends."""

import os
import subprocess
import sys
from pathlib import Path


def run_apart(script: str, *arguments: str, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of Python with arguments, in a folder that is made for it and for what it leaves.

    Args:
        script: what Python is to run.
        arguments: for it.
        scratch: the folder; there must be none yet.
    """
    scratch.mkdir()
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
        cwd=scratch,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(scratch)},
    )
