"""Making evidence: a scene is played on a real lab, and each of its states is proved, looked at and proved again."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from kafka_lab.errors import LabError
from runbook.evidence.bundle import Kept, load_bundle
from runbook.model import moment
from runbook.recording.secrets import without_secrets
from runbook.recording.tape import Recording, read_recording
from runbook.run.collection.worker import RECORD
from runbook.safety.redaction import Redaction
from support.built_in import asked_by
from support.evidence.judging import judged, outcomes
from support.evidence.record import FORMAT, Evidence, Proof, write
from support.evidence.releases import releases
from support.evidence.scene import Scene, State

RUNBOOK: Final = str(Path(sys.executable).with_name("runbook"))
_POLL: Final = 0.5
_LOOKS: Final = 2  # a busy machine may end a state for a moment, such as by a rebalance of workers


class NotSeenError(Exception):
    """A state could not be proved, or was no longer there when the look had ended: nothing was kept."""


def make(
    scene: Scene,
    lab: Any,
    systems: dict[str, str],
    *,
    into: Path,
    work: Path,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Evidence]:
    """Play a scene and keep what was seen, all of its states or none.

    Args:
        scene: what to play.
        lab: a lab of its shape that is well.
        systems: versions of what the lab runs.
        into: where evidence is kept.
        work: an empty folder for inventories and half-made evidence.
        progress: told of each state.

    Raises:
        NotSeenError: with what could not be proved.
    """
    made: list[Evidence] = []
    # Closed on any error too: the scene, a generator, heals its lab.
    with closing(scene.play(lab, work)) as states:  # type: ignore[type-var]
        for state in states:
            progress(f"{scene.shape}/{scene.name}: {state.name}")
            made.append(_look(scene, state, systems, work))
    if (seen := [evidence.state for evidence in made]) != scene.states:
        raise NotSeenError(f"{scene.name} showed {seen}, and declares {scene.states}")
    fresh = work / "made"
    for evidence in made:
        write(evidence, fresh)
    place = into / scene.shape / scene.name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(fresh / scene.shape / scene.name, place)
    return made


def _look(scene: Scene, state: State, systems: dict[str, str], work: Path) -> Evidence:
    if (state.aftermath is None) == (state.name in scene.forecasts):
        raise NotSeenError(f"{scene.name}/{state.name}: a forecast needs an aftermath to be held against, and it one")
    saved = work / "look.json"
    for _ in range(_LOOKS):
        first = _proved(state, scene)
        results = _check(scene.runbooks(state.name), state, work, saved)
        last = Proof(moment.now(), dict(state.claims()))
        recordings = [read_recording(file.read_bytes()) for file in sorted(work.glob("*.recording"))]
        for file in work.glob("*.recording"):
            file.unlink()
        if last.holds:
            break
    else:
        raise NotSeenError(f"{scene.name}/{state.name} had ended when the look had: {last.claims}")
    bundle = load_bundle(saved)
    hide = without_secrets(Redaction(state.secrets))
    recordings = [
        msgspec.convert(hide(msgspec.to_builtins(one, builtin_types=(bytes,))), Recording, strict=False)
        for one in recordings
    ]
    answered = {recording.header.asks[str(number)] for recording in recordings for number in recording.answered}
    evidence = Evidence(
        format=FORMAT,
        shape=scene.shape,
        scene=scene.name,
        state=state.name,
        runbooks=scene.runbooks(state.name),
        releases=releases({kept.ask.connection for kept in bundle.kept}, systems),
        first=first,
        last=last,
        words=dict(state.words),
        asked=replace(bundle, kept=[Kept(one.ask, {} if one.ask in answered else one.facts) for one in bundle.kept]),
        recordings=recordings,
        aftermath=dict(state.aftermath()) if state.aftermath else {},
    )
    _refuse_what_differs(evidence, results, work)
    _refuse_secrets(saved.read_bytes() + msgspec.msgpack.encode(evidence), state.secrets)
    return evidence


def _refuse_what_differs(evidence: Evidence, results: Mapping[str, str], work: Path) -> None:
    """Make sure that what was recorded is judged as what was seen.

    Raises:
        NotSeenError: something of it was not recorded, or is judged otherwise.
    """
    if missing := evidence.replayed.missing:
        raise NotSeenError(f"{evidence.name}: not recorded: {missing[:5]}")
    for runbook in evidence.runbooks:
        again = judged(evidence.bundle, runbook, work)
        whole = asked_by(runbook)[0]
        differing = [
            f"{name}: {results[f'{whole}/{name}']}, now {result.outcome}: {result.reason[:200]}"
            for name, result in again.items()
            if result.outcome != results[f"{whole}/{name}"]
        ]
        if differing:
            raise NotSeenError(f"{evidence.name}: judged otherwise from its raw answers: {differing}")


def _proved(state: State, scene: Scene) -> Proof:
    """Wait until the lab proves the state.

    Raises:
        NotSeenError: it never did.
    """
    end = time.monotonic() + state.within
    while True:
        try:
            proof = Proof(moment.now(), dict(state.claims()))
        except LabError as error:  # such as a broker that just restarts
            proof = Proof(moment.now(), {str(error): False})
        if proof.holds:
            return proof
        if time.monotonic() > end:
            raise NotSeenError(f"{scene.name}/{state.name} did not come about in {state.within:.0f} s: {proof.claims}")
        time.sleep(_POLL)


def _check(runbooks: list[str], state: State, work: Path, saved: Path) -> Mapping[str, str]:
    """Run the command as a user would; gives the outcomes by the check's whole name."""
    inventory = work / f"{state.name}.yaml"
    inventory.write_text(json.dumps(state.inventory), "utf-8")  # YAML too, and never with an alias
    options = ["-i", str(inventory), "-f", "json", "--deadline", f"{state.deadline:g}s", "--save", str(saved)]
    asked = [asked_by(word) for word in runbooks]
    named = [word for name, checks in asked for check in checks for word in ("--only", f"{name}/{check}")]
    command = [RUNBOOK, "check", *(name for name, _ in asked), *named, *options]
    environment = {**os.environ, RECORD: str(work)}
    done = subprocess.run(command, capture_output=True, timeout=state.deadline + 60, check=False, env=environment)
    if complaints := [line for line in done.stderr.decode().splitlines() if not line.startswith("kept: ")]:
        raise NotSeenError(f"{state.name}: the command complained: {complaints}")
    return outcomes(done.stdout)


def _refuse_secrets(data: bytes, secrets: Any) -> None:
    for secret in secrets:
        if secret.encode() in data:
            raise NotSeenError("a secret of the lab is in the bundle")
