"""What walks that measure need: an inventory that allows it, and a command that runs while others are typed."""

import os
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import yaml

from support.careful_walker import RUNBOOK
from support.given_connections import give

_WITHIN: Final = 600.0


def allow(folder: Path, **connections: Any) -> None:
    """Let the inventory of a folder consent to measurements, and keep them and sign-offs there; `says` more."""
    records = {"measurements": str(folder / "measurements"), "attestations": str(folder / "attestations.yaml")}
    says(folder, measure={"topic": folder.name}, records=records, **connections)


def says(folder: Path, **connections: Any) -> None:
    """Give connections to the one environment of a folder's inventory."""
    file = folder / "environments.yaml"
    document: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    [environment] = document["environments"].values()
    give(environment, **connections)
    file.write_text(yaml.safe_dump(document), "utf-8")


def sign_off(folder: Path, statement: str, evidence: str) -> None:
    """Sign a statement off, as its owner does."""
    today = datetime.now(UTC).date()
    signed = {
        "id": statement,
        "statement": "It was done.",
        "by": "Ada",
        "at": today,
        "evidence": evidence,
        "expires": today + timedelta(days=30),
    }
    (folder / "attestations.yaml").write_text(yaml.safe_dump({"attestations": [signed]}), "utf-8")


class Beside:
    """A command that goes on while a person does the next steps.

    Attributes:
        output: what it has printed, once it has ended.
    """

    def __init__(self, folder: Path) -> None:
        """Nothing runs yet."""
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self.output = ""

    def starts(self, commands: Sequence[str]) -> None:
        """Type the one command that a step shows; one that ran is ended first."""
        self.close()
        [command] = commands
        self._process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=self._folder,
            env=os.environ | {"PATH": f"{Path(RUNBOOK).parent}:{os.environ['PATH']}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def runs(self) -> bool:
        """Whether it does."""
        return self._process is not None and self._process.poll() is None

    def ends(self) -> None:
        """Wait until it has ended by itself, and well.

        Raises:
            AssertionError: it was not begun, or failed.
        """
        assert self._process is not None, "nothing was begun"
        self.output = self._process.communicate(timeout=_WITHIN)[0]
        assert self._process.returncode == 0, self.output
        self._process = None

    def close(self) -> None:
        """End it, as Ctrl-C does."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.communicate(timeout=_WITHIN)
        self._process = None
