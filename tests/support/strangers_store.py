"""A store into which a stranger writes: under names that the product itself would not file anything under."""

from pathlib import Path

from runbook.evidence.store import run_files
from runbook.model.run import Run


def put_run(store: Path, run: Run) -> list[Path]:
    """File a run whatever its environments are called; gives the places."""
    places = []
    for path, content in run_files(run):
        place = store / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
        places.append(place)
    return places
