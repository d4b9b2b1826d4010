"""Incidents played one after the other on labs that are healed between them, and the command run in each."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

import kafka_lab as labs
from kafka_lab import LabState, proxies, ways
from kafka_lab.errors import LabError
from kafka_lab.recovery import bring_back, make_whole
from kafka_lab.state import known
from support.incidents.incident import Answer, Asked, Incident

_COLUMNS: Final = "80"
_COMMAND_WITHIN: Final = 120.0
_PATIENCE: Final = 5.0
_RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))


@contextmanager
def lab_of(parts: tuple[str, ...], home: Path, progress: Callable[[str], None]) -> Iterator[LabState]:
    """A lab with these parts, down at the end whatever happens."""
    name = f"incidents-{'-'.join(parts)}"
    try:
        yield labs.up(name, home=home, progress=progress, with_parts=parts)
    finally:
        labs.down(name, home=home)


def play(incident: Incident, name: str, home: Path, bundles: Path | None = None, deadline: str | None = None) -> Answer:
    """Play one incident on a lab that is well, and leave it so; the bundle of what was seen is kept where it is said.

    A deadline is given to the run where its own is shorter than a loaded machine takes to start it.

    Raises:
        LabError: It could not be brought about, or not be healed.
    """
    lab = known(name, home)
    try:
        with incident.play(lab) as asked:
            answer, bundle = _answer(incident, lab, asked, deadline)
            if bundles is not None and bundle.exists():
                bundles.mkdir(parents=True, exist_ok=True)
                shutil.copy(bundle, bundles / f"{incident.name}.json")
            return answer
    finally:
        _heal(known(name, home), home)


def _heal(lab: LabState, home: Path) -> None:
    """Take back what faults did, and wait until all brokers are well, on the ways too."""
    bring_back(lab)
    if lab.faults:
        labs.heal(lab.name, home=home)
    make_whole(lab)
    if proxies.PART in lab.parts:
        for broker in lab.brokers:
            if proxies.answers_after(lab, broker.number, within=_PATIENCE, key=ways.METADATA) > _PATIENCE:
                raise LabError(f"The proxy of broker {broker.number} does not answer")


def _answer(incident: Incident, lab: LabState, asked: Asked, deadline: str | None) -> tuple[Answer, Path]:
    """Run the command once, and judge what it saw, which is a bundle, once more for its report in JSON."""
    folder = Path(lab.folder)
    inventory, bundle = folder / "asked.yaml", folder / "seen.json"
    inventory.write_text(yaml.safe_dump(_inventory(lab, asked)), "utf-8")
    bundle.unlink(missing_ok=True)
    began = time.monotonic()
    where = ("--env", lab.name, "-i", str(inventory), "--save", str(bundle))
    more = ("--deadline", deadline) if deadline and "--deadline" not in incident.more else ()
    done = _run("check", incident.runbook, *where, *incident.more, *more)
    took = time.monotonic() - began
    shown = done.stdout.splitlines()
    if "" not in shown:
        raise LabError(f"The command said nothing: {done.stderr.strip()[-300:]}")
    report = _report(bundle, incident.runbook) if bundle.exists() else {}
    causes = _causes(report)
    answer = Answer(
        code=done.returncode,
        seconds=round(took, 1),
        lines=shown[shown.index("") + 1 :],
        causes=[cause["cause"].rpartition("/")[2] for cause in causes],
        first=causes[0]["first"] if causes else "",
        outcomes={result["check"].rpartition("/")[2]: result["outcome"] for result in report.get("results", ())},
        number=asked.number,
    )
    return answer, bundle


def _inventory(lab: LabState, asked: Asked) -> dict[str, Any]:
    inventory: dict[str, Any] = yaml.safe_load(Path(lab.folder, "environments.yaml").read_text("utf-8"))
    environment = inventory["environments"][lab.name]
    kafka = environment["kafka"] | dict(asked.kafka)
    environment["kafka"] = {name: value for name, value in kafka.items() if value is not None}
    environment["cluster_id"] = asked.cluster_id or environment["cluster_id"]
    return inventory


def _report(bundle: Path, runbook: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(_run("check", runbook, "--from", str(bundle), "--format", "json").stdout)
    return report


def _causes(report: dict[str, Any]) -> list[dict[str, Any]]:
    diagnoses = [environment["diagnosis"] for environment in report.get("environments", ()) if environment["diagnosis"]]
    return [
        cause for diagnosis in diagnoses for cause in diagnosis["causes"] if cause["certain"] and not cause["beneath"]
    ]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": _COLUMNS}
    try:
        return subprocess.run(
            [_RUNBOOK, *arguments],
            capture_output=True,
            text=True,
            timeout=_COMMAND_WITHIN,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise LabError(f"The command did not end within {_COMMAND_WITHIN:.0f} s") from error


def read_kept(file: Path | None) -> dict[str, Answer]:
    """The answers that earlier runs kept, by incident."""
    if file is None or not file.exists():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Answer])


def keep(file: Path | None, answers: dict[str, Answer]) -> None:
    """Keep answers for the table of a later run."""
    if file is not None:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(answers), indent=1))
