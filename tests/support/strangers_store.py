"""A store into which a stranger writes: under names that the product itself would not file anything under."""

from pathlib import Path

from runbook.engine.run import Run
from runbook.engine.store import run_files


def put_run(store: Path, run: Run) -> list[Path]:
    """File a run whatever its environments are called; gives the places."""
    places = []
    for path, content in run_files(run):
        place = store / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        places.append(place)
    return places
