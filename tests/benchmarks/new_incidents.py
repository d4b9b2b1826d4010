"""Incidents made on real systems, and what somebody on call is told of each: `new_incidents.py SHAPE [NAME...]`.

Starts the lab of a shape (secure, zookeeper, registry, sites, jvm), makes its incidents one after the other, looks at
each with `runbook check`, heals it, and prints a table: seconds, exit code, and whether the words that are to be read
stand in the first three lines. The answers are kept in a folder, `--keep FOLDER`, for whoever judges them.
"""

import argparse
import importlib
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from kafka_lab import LabState
from support.new_incidents import Incident, Shape, Shown, chosen, look, named


def _kept(folder: Path, name: str, shown: Shown) -> None:
    words = f"{shown.seconds:.1f} s, exit code {shown.code}\n\n{shown.answer}"
    (folder / f"{name}.txt").write_text(words, encoding="utf-8")


def _well(lab: LabState, incidents: Iterable[Incident], keep: Path) -> None:
    """Look at the healthy lab first: what it says then is no answer to any incident."""
    for runbook in sorted({incident.runbook for incident in incidents}):
        shown = look(lab, runbook, save=keep / f"healthy-{runbook}.bundle")
        _kept(keep, f"healthy-{runbook}", shown)
        print(f"| (healthy) | {runbook} | {shown.seconds:.1f} | {shown.code} | |", flush=True)


def _played(lab: LabState, incident: Incident, keep: Path) -> None:
    try:
        incident.make(lab)
        shown = look(lab, incident.runbook, save=keep / f"{incident.name}.bundle")
        _kept(keep, incident.name, shown)
        where = named(incident, shown)
        print(f"| {incident.name} | {incident.runbook} | {shown.seconds:.1f} | {shown.code} | {where} |", flush=True)
    finally:
        incident.heal(lab)


def main() -> None:
    """Play what was asked for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("shape")
    asked.add_argument("names", nargs="*")
    asked.add_argument("--keep", type=Path, help="where the answers and their bundles stay")
    asked.add_argument("--work", type=Path, help="where the lab works; below /tmp os-hardware finds fault with that")
    given = asked.parse_args()
    shape: Shape = importlib.import_module(f"support.new_incidents.{given.shape}").SHAPE
    incidents = chosen(shape.incidents, given.names)
    with tempfile.TemporaryDirectory(dir=given.work) as folder:
        keep = (given.keep or Path(folder)) / given.shape
        keep.mkdir(parents=True, exist_ok=True)
        with shape.lab(Path(folder)) as lab:
            print("| incident | runbook | seconds | code | words |\n|---|---|---|---|---|")
            _well(lab, incidents, keep)
            for incident in incidents:
                try:
                    _played(lab, incident, keep)
                except Exception as error:  # noqa: BLE001 - the next one can still be made
                    why = str(error).partition("\n")[0]
                    print(f"| {incident.name} | {incident.runbook} | | | not made: {why} |", flush=True)


if __name__ == "__main__":
    os.umask(0o022)
    main()
