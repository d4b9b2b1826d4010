"""Open kept evidence: `python -m support.evidence.opened SHAPE/SCENE/STATE FILE` writes its facts as a bundle."""

import sys
from pathlib import Path

from runbook.evidence.bundle import save_bundle
from support.evidence import record


def main(words: list[str]) -> int:
    """Write the bundle, and say by which commands it is judged; gives the exit code."""
    if len(words) != 2:
        print("write: SHAPE/SCENE/STATE FILE, as in plain/stop-broker/during /tmp/seen.json", file=sys.stderr)
        return 2
    name, file = words
    place = record.FOLDER / f"{name}{record.ENDING}"
    if place not in record.kept():
        print(f"nothing is kept as {name}: ls {record.FOLDER}/*/*", file=sys.stderr)
        return 2
    evidence = record.read(place)
    save_bundle(Path(file), evidence.bundle)
    print(f"{name}, as it was seen at {evidence.made_at}. Judge it:")
    for runbook in dict.fromkeys(one.partition(":")[0] for one in evidence.runbooks):
        print(f"  runbook check {runbook} --from {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
