"""What an environment says is absent, or not observed: each a connection or a probe, with the reason."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runbook.model.errors import Problem, did_you_mean, nearest
from runbook.parse.unobserved import shape
from runbook.parse.yaml_document import Document, Path
from runbook.plugins.catalog import catalog

NO_REASON: Final = "why there is none"  # stands in printed lines where the reason belongs


def with_reasons(
    rest: dict[str, Any], path: Path, document: Document, problems: list[Problem], kinds: list[str]
) -> dict[str, Any]:
    """An environment's entry without what is said to be absent or unobserved, but not why, or under no known name."""
    absent = rest.get("absent")
    listed = [absent] if isinstance(absent, str) else absent
    if isinstance(listed, list) and listed and all(isinstance(item, str) for item in listed):
        line = ", ".join(f"{item}: {NO_REASON}" for item in listed)
        message = "absent says of each connection why there is none"
        problems.append(Problem(document.place((*path, "absent")), message, f"write absent: {{{line}}}"))
        rest = {key: value for key, value in rest.items() if key != "absent"}
    elif isinstance(absent, dict):
        for kind in [kind for kind, why in absent.items() if _says_nothing(why)]:
            place = document.place((*path, "absent", kind))
            remedy = "write the reason in its place, or leave it out: checks of what is absent do not apply"
            problems.append(Problem(place, f"absent.{kind} does not say {NO_REASON}", remedy))
        rest = rest | {"absent": {kind: why for kind, why in absent.items() if not _says_nothing(why)}}
    if wrong := [*shape(rest.get("unobserved"), document, (*path, "unobserved"))]:
        problems += [problem for _, problem in wrong]
        lost = {name for name, _ in wrong}
        given = rest["unobserved"] if isinstance(rest["unobserved"], dict) else {}
        rest = rest | {"unobserved": {name: said for name, said in given.items() if name not in lost}}
    for word in ("absent", "unobserved"):
        problems += _strangers(rest.get(word), (*path, word), document, kinds)
    return rest


def said_twice(
    rest: Mapping[str, Any], connections: Mapping[str, Any], path: Path, document: Document
) -> Iterator[Problem]:
    """What is said in two ways: given, absent or unobserved exclude each other."""
    absent, unobserved = (_named(rest.get(word)) for word in ("absent", "unobserved"))
    for word, named in (("absent", absent), ("unobserved", unobserved)):
        for kind in sorted({*connections} & named):
            message = f"{kind} of {path[-1]} is both given and declared {word}"
            yield Problem(document.place((*path, word, kind)), message, "remove one of them")
    for kind in sorted(absent & unobserved):
        message = f"{kind} of {path[-1]} is declared both absent and unobserved"
        yield Problem(document.place((*path, "absent", kind)), message, "keep the one that is true")


def _named(entry: Any) -> set[str]:
    return {*entry} if isinstance(entry, dict) else set()


def _strangers(entry: Any, path: Path, document: Document, kinds: list[str]) -> Iterator[Problem]:
    """Names of no connection and no probe."""
    named = _named(entry)
    probes = catalog("probes").names() if not named <= {*kinds} else []
    for kind in entry if named else ():
        if kind not in kinds and kind not in probes:
            near = nearest(str(kind), [*kinds, *probes])
            remedy = did_you_mean(str(kind), kinds)
            remedy = f"did you mean {near}?" if near else f"{remedy}; probes: runbook list --probes"
            yield Problem(document.key((*path, kind)), f'no connection or probe is called "{kind}"', remedy)


def _says_nothing(why: object) -> bool:
    """Whether nobody has written a reason yet: nothing stands there, or what is printed in the place of one."""
    return why in (None, "") or (isinstance(why, str) and why.strip(" .").lower() == NO_REASON)
