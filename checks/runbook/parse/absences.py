"""What an environment says is absent: each connection or probe, with the reason why there is none."""

from typing import Any, Final

from runbook.model.errors import Problem, did_you_mean, nearest
from runbook.parse.yaml_document import Document, Path
from runbook.plugins.catalog import catalog

NO_REASON: Final = "why there is none"  # stands in printed lines where the reason belongs


def with_reasons(
    rest: dict[str, Any], path: Path, document: Document, problems: list[Problem], kinds: list[str]
) -> dict[str, Any]:
    """An environment's entry without connections that are said to be absent, but not why, or that there are not."""
    absent = rest.get("absent")
    listed = [absent] if isinstance(absent, str) else absent
    if isinstance(listed, list) and listed and all(isinstance(item, str) for item in listed):
        line = ", ".join(f"{item}: {NO_REASON}" for item in listed)
        message = "absent says of each connection why there is none"
        problems.append(Problem(document.place((*path, "absent")), message, f"write absent: {{{line}}}"))
        return {key: value for key, value in rest.items() if key != "absent"}
    if isinstance(absent, dict):
        for kind in [kind for kind, why in absent.items() if _says_nothing(why)]:
            place = document.place((*path, "absent", kind))
            remedy = "write the reason in its place, or leave it out: checks of what is absent do not apply"
            problems.append(Problem(place, f"absent.{kind} does not say {NO_REASON}", remedy))
        absent = {kind: why for kind, why in absent.items() if not _says_nothing(why)}
        rest = rest | {"absent": absent}
    probes = catalog("probes").names() if isinstance(absent, dict) and not {*absent} <= {*kinds} else []
    for kind in absent if isinstance(absent, dict) else ():
        if kind not in kinds and kind not in probes:
            place = document.key((*path, "absent", kind))
            near = nearest(str(kind), [*kinds, *probes])
            remedy = did_you_mean(str(kind), kinds)
            remedy = f"did you mean {near}?" if near else f"{remedy}; probes: runbook list --probes"
            problems.append(Problem(place, f'no connection or probe is called "{kind}"', remedy))
    return rest


def _says_nothing(why: object) -> bool:
    """Whether nobody has written a reason yet: nothing stands there, or what is printed in the place of one."""
    return why in (None, "") or (isinstance(why, str) and why.strip(" .").lower() == NO_REASON)
