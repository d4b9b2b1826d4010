"""Make evidence anew: `python -m support.evidence [SHAPE | SHAPE/SCENE …]`, all of it without a name.

Labs wait more than they work, so that two shapes are made at a time, each by a process of its own.
"""

import datetime as dt
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

from support.evidence.labs import Labs
from support.evidence.making import make
from support.evidence.record import FOLDER
from support.evidence.scene import Scene, scenes_of, shape_of, shapes

BESIDE: Final = 2


def main(wanted: list[str]) -> int:
    """Make the scenes that are wanted; those that fail leave what was kept of them as it was."""
    began = time.monotonic()
    chosen = _chosen(wanted)
    failed = _made_here(chosen) if len(chosen) == 1 else _made_beside(chosen, wanted)
    if failed:
        print(f"Not made: {', '.join(failed)}")
    if len(chosen) > 1:
        _say(f"{sum(map(len, chosen.values()))} scenes of {len(chosen)} shapes in {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def _made_beside(chosen: Mapping[str, list[Scene]], wanted: list[str]) -> list[str]:
    """Make shapes beside each other, those with the most scenes first; gives those of which something failed."""

    def of(shape: str) -> int:
        parts = [name for name in wanted if name.partition("/")[0] == shape and name != shape]
        line = [sys.executable, "-m", "support.evidence", *(parts if parts and shape not in wanted else [shape])]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            for output_line in process.stdout:
                print(output_line, end="", flush=True)
        return process.returncode

    shapes_ = sorted(chosen, key=lambda shape: -len(chosen[shape]))
    with ThreadPoolExecutor(BESIDE) as pool:
        return [shape for shape, code in zip(shapes_, pool.map(of, shapes_), strict=True) if code]


def _made_here(chosen: Mapping[str, list[Scene]]) -> list[str]:
    failed = []
    for shape, scenes in chosen.items():
        if reason := shape_of(shape).lacking():
            print(f"{shape}: can't run here: {reason}")
            failed.append(shape)
            continue
        failed += _made(shape, scenes)
    return failed


def _made(shape: str, scenes: list[Scene]) -> list[str]:
    """Make the scenes of one shape on one lab; gives those that failed."""
    failed = []
    with tempfile.TemporaryDirectory(prefix=f"{shape}-") as place:
        folders = Path(place)
        _say(f"{shape}: starting")
        with closing(Labs(lambda name: _new(folders / f"lab-{name}"))) as labs:
            for scene in scenes:
                began = time.monotonic()
                work = _new(folders / scene.name)
                try:
                    make(scene, labs.of(shape), shape_of(shape).systems(), into=FOLDER, work=work, progress=_say)
                except Exception as error:  # noqa: BLE001 - the others are made all the same; it is said
                    failed.append(f"{shape}/{scene.name}")
                    _say(f"{shape}/{scene.name}: FAILED: {type(error).__name__}: {error}")
                else:
                    _say(f"{shape}/{scene.name}: made in {time.monotonic() - began:.0f} s")
    return failed


def _chosen(wanted: list[str]) -> dict[str, list[Scene]]:
    chosen = {
        shape: [scene for scene in scenes_of(shape) if not wanted or {shape, f"{shape}/{scene.name}"} & set(wanted)]
        for shape in shapes()
    }
    if unknown := set(wanted) - {
        *chosen,
        *(f"{scene.shape}/{scene.name}" for scenes_ in chosen.values() for scene in scenes_),
    }:
        raise SystemExit(f"There is no {', '.join(sorted(unknown))}: choose of {', '.join(chosen)}")
    return {shape: scenes for shape, scenes in chosen.items() if scenes}


def _new(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _say(text: str) -> None:
    print(f"{dt.datetime.now():%H:%M:%S} {text}", flush=True)  # noqa: DTZ005 - for who waits for it


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
