"""Which faults' causes are named, and whether healing the real system bears out what was said: from kept evidence.

One line for each fault of the lab and runbook that looked at it: whether a cause is named in the first three lines of
the answer, how many failing checks it explains, may explain and keeps from being judged, how many of these passed once
the system was healed, and what differs. `python tests/benchmarks/causes.py`; faults of which nothing is said stand at
its end with the reason.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from live.test_causes import NEEDS, SILENT
from support.evidence.diagnosed import Compared, compare, first_lines, ids, told_by
from support.evidence.scene import Scene, scenes_of, shapes

_HEAD = ("fault", "runbook", "cause", "in 3 lines", "explained", "passed", "perhaps", "hidden", "differences")


def _scenes() -> Iterator[Scene]:
    for shape in shapes():
        yield from (one for one in scenes_of(shape) if {"during", "after"} <= {*one.states})


def _line(scene: Scene, runbook: str, compared: Compared) -> tuple[str, ...]:
    differs = {
        "explained and failing": compared.explained_and_failing,
        "left and passing": compared.left_and_passing,
        "hidden and unknown": compared.withheld_and_unknown,
    }
    where = (scene.shape, scene.name, "during", runbook)
    passed = len(compared.explained) - len(compared.explained_and_failing)
    return (
        " + ".join(scene.faults) or scene.name,
        runbook,
        ", ".join(sorted(ids(compared.causes))),
        "yes" if any("CAUSE " in line for line in first_lines(*where, 3)) else "no",
        str(len(compared.explained)),
        str(passed),
        str(len(compared.perhaps)),
        str(len(compared.withheld)),
        "; ".join(f"{what}: {', '.join(sorted(ids(checks)))}" for what, checks in differs.items() if checks),
    )


def main() -> None:
    """Print the table, and its sums."""
    lines = []
    for scene in _scenes():
        for runbook in told_by(scene.shape, scene.name, "during", needs=NEEDS):
            compared = compare(scene.shape, scene.name, runbook)
            if compared.causes:
                lines.append(_line(scene, runbook, compared))
    print("| " + " | ".join(_HEAD) + " |\n|" + "---|" * len(_HEAD))
    for line in sorted(lines):
        print("| " + " | ".join(line) + " |")
    sums = [sum(int(line[at]) for line in lines) for at in (4, 5, 6, 7)]
    named = sum(line[3] == "yes" for line in lines)
    print(f"\n{len(lines)} lines, {named} with a cause in the first three lines of the answer")
    print(f"checks explained, of them passed once healed, perhaps explained, hidden: {sums}\n")
    for fault, why in sorted(SILENT.items()):
        print(f"- {fault}: {why}")


if __name__ == "__main__":
    main()
