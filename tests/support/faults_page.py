"""The table of the lab's faults: the cause that is named of each, and whether healing the real system bore it out."""

from collections.abc import Iterator

from live.test_causes import NAMED, NEEDS, SILENT
from support.evidence.diagnosed import Compared, compare, first_lines, ids, runbooks_of
from support.evidence.scene import Scene, scenes_of, shapes
from support.made_page import RECORDS, MadePage

PAGE = MadePage(
    RECORDS / "lab-faults.md", "<!-- faults: made by tests/benchmarks/causes.py -->", "<!-- end of faults -->"
)
_HEAD = ("fault", "runbook", "cause", "in 3 lines", "explained", "passed", "perhaps", "hidden", "passed too")


def healed() -> list[Scene]:
    """The scenes of faults of which it is kept what was seen during the fault and after it was healed."""
    every = (scene for shape in shapes() for scene in scenes_of(shape))
    return [scene for scene in every if scene.faults and {"during", "after"} <= {*scene.states}]


def fault_of(scene: Scene) -> str:
    """What a line calls it."""
    return " + ".join(scene.faults)


def lines() -> Iterator[str]:
    """The sums, the table, and why nothing is said of the others."""
    rows = [
        (fault_of(scene), runbook, compared, _in_three_lines(scene, runbook))
        for scene in healed()
        for runbook in runbooks_of(scene.shape, scene.name, "during", needs=NEEDS)
        if (compared := compare(scene.shape, scene.name, runbook)).causes
    ]
    explained = sum(len(compared.explained) for _, _, compared, _ in rows)
    failing = sum(len(compared.explained_and_failing) for _, _, compared, _ in rows)
    yield f"{sum(first for *_, first in rows)} of {len(rows)} have their cause in the first three lines of the answer."
    yield f"{explained} failing checks were called explained: {explained - failing} of them passed once the real system"
    yield f"was healed, and {failing} did not."
    yield ""
    yield "| " + " | ".join(_HEAD) + " |"
    yield "|" + "---|" * len(_HEAD)
    for fault, runbook, compared, first in sorted(rows, key=lambda line: line[:2]):
        yield "| " + " | ".join((f"`{fault}`", *_cells(runbook, compared, first=first))) + " |"
    yield ""
    yield "| no cause is named | why |"
    yield "|---|---|"
    later = {fault_of(scene): why for scene in healed() if (why := _named_later(scene))}
    yield from (f"| `{fault}` | {why} |" for fault, why in sorted((SILENT | later).items()))


def page() -> str:
    """The page as it should be: what is between its marks made anew."""
    return PAGE.with_lines(lines())


def _named_later(scene: Scene) -> str:
    """In which state a cause is named, if there is none in the first look at the fault."""
    names = {
        state: causes
        for named in NAMED.values()
        for state in scene.states
        if (causes := named.get(f"{scene.shape}/{scene.name}/{state}"))
    }
    if "during" in names:
        return ""
    return "; ".join(
        f"not at once, but once there was more to see ({state}): {', '.join(names[state])}" for state in names
    )


def _in_three_lines(scene: Scene, runbook: str) -> bool:
    return any("CAUSE " in line for line in first_lines(scene.shape, scene.name, "during", runbook, 3))


def _cells(runbook: str, compared: Compared, *, first: bool) -> Iterator[str]:
    yield runbook
    yield ", ".join(sorted(ids(compared.causes)))
    yield "yes" if first else "no"
    yield str(len(compared.explained))
    yield str(len(compared.explained) - len(compared.explained_and_failing))
    yield str(len(compared.perhaps))
    yield str(len(compared.withheld))
    yield ", ".join(sorted(ids(compared.left_and_passing)))
