"""A scene, chosen at random in each run, is played again on a real lab: the verdicts are those of what is kept."""

import os
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from support.evidence import record
from support.evidence.expected import alike
from support.evidence.judging import judged
from support.evidence.labs import Labs
from support.evidence.making import make
from support.evidence.scene import Scene, scenes_of, shape_of, shapes

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("made again")]
NAMED = [name for name in os.environ.get("RUNBOOK_SCENES", "").split(",") if name]
AGAIN = len(NAMED) or 1  # each takes minutes; `make test-live` makes them all


def chosen(run: str) -> list[Scene]:
    """The scenes of this run: by its id, or those that RUNBOOK_SCENES names, parted by commas.

    Losses that are foretold are not left to chance: whether a partition can be read is tried within seconds, which a
    busy machine does not keep. `make test-live` makes them.
    """
    possible = {
        f"{shape}/{scene.name}": scene
        for shape in shapes()
        if not shape_of(shape).lacking()
        for scene in scenes_of(shape)
    }
    drawn = sorted(name for name, scene in possible.items() if not scene.forecasts)
    names = NAMED or random.Random(run).sample(drawn, AGAIN)
    return [possible[name] for name in names]


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Labs]:
    """A lab in which nothing has happened yet: other tests leave leaders where they went, and topics."""
    with closing(Labs(tmp_path_factory.mktemp)) as labs:
        yield labs


@pytest.mark.parametrize("number", range(AGAIN))
def test_what_is_kept_is_what_is_seen_today(number: int, fresh: Labs, testrun_uid: str, tmp_path: Path):
    scenes = chosen(testrun_uid)
    scene = scenes[number % len(scenes)]
    name = f"{scene.shape}/{scene.name}"
    print(f"made again: {name}")  # noqa: T201 - shown if it fails: RUNBOOK_SCENES repeats it
    work = tmp_path / "work"
    work.mkdir()
    for today in make(scene, fresh.of(scene.shape), shape_of(scene.shape).systems(), into=tmp_path, work=work):
        kept = record.read(record.place_of(scene.shape, scene.name, today.state))
        for runbook, expected in scene.expected[today.state].items():
            then, now = (judged(made.bundle, runbook, work) for made in (kept, today))
            otherwise = {
                check: f"{then[check].outcome} when kept, {result.outcome} today: {result.reason}"
                for check, result in now.items()
                if check not in expected.undetermined and not alike(result.outcome, then[check].outcome)
            }
            assert otherwise == {}, f"RUNBOOK_SCENES={name}"
            assert list(expected.broken(now, today.words)) == [], f"RUNBOOK_SCENES={name}"
        if today.state in scene.forecasts:
            assert scene.forecasts[today.state](today.bundle, today.aftermath) == [], f"RUNBOOK_SCENES={name}"
