"""The table of incidents names all that are played, its sums are those of its lines, and classes are told apart."""

import re
from collections import Counter
from contextlib import nullcontext
from typing import Any

import pytest

from support.incidents.all import INCIDENTS
from support.incidents.incident import CLASSES, Answer, Asked, Incident, class_of
from support.incidents.table import table
from support.made_page import RECORDS

PAGE = (RECORDS / "incidents.md").read_text("utf-8")
CAUSE = ["CAUSE    broker 2 is down", "         proof      seen"]


def incident(**more: Any) -> Incident:
    return Incident(
        **{"name": "one", "before": "silent", "play": lambda _: nullcontext(Asked()), "says": r"broker {N}\b"} | more
    )


def answer(lines: list[str], **more: Any) -> Answer:
    given: dict[str, Any] = {"code": 1, "seconds": 1.0, "causes": [], "first": "", "outcomes": {}, "number": 2}
    return Answer(lines=lines, **(given | more))


@pytest.mark.parametrize(
    ("expected", "asked", "answer"),
    [
        ("named", incident(), answer(CAUSE)),
        ("named", incident(says=""), answer([], code=0)),
        ("unexplained", incident(says=""), answer(["FAIL"])),
        ("later", incident(), answer(["", "", "", *CAUSE])),
        ("unknown", incident(), answer(["broker 3"], code=3)),
        ("unexplained", incident(), answer(["broker 3"])),
        ("silent", incident(), answer(["53 pass"], code=0)),
        ("wrong", incident(), answer(CAUSE, causes=["another"])),
        ("wrong", incident(fails=("a-check",)), answer(CAUSE, outcomes={"a-check": "pass"})),
        ("named", incident(causes=("this",), fails=("a-check",)), answer(CAUSE, causes=["this"])),
    ],
)
def test_the_class_of_an_answer(expected: str, asked: Incident, answer: Answer) -> None:
    assert class_of(asked, answer) == expected


def test_each_incident_has_a_line_of_its_own_or_is_named_as_not_played() -> None:
    lines = [*table([incident(), incident(name="two")], {"one": answer(CAUSE)})]
    assert lines[2].startswith("| one | silent | named | 1.0 | 2 | CAUSE broker 2 is down proof seen |")
    assert lines[-1] == "- two: not played"


def test_names_are_told_apart() -> None:
    assert len({incident.name for incident in INCIDENTS}) == len(INCIDENTS)


def test_the_page_has_all_of_them_with_the_class_in_which_they_were() -> None:
    classes = dict(re.findall(rf"^\| ([a-z0-9-]+) \| ({'|'.join(CLASSES)}) \|", PAGE, re.MULTILINE))
    left = re.findall(r"^- ([a-z0-9-]+): not played", PAGE, re.MULTILINE)
    assert {incident.name: incident.before for incident in INCIDENTS if incident.name not in left} == classes


def test_the_sums_of_the_page_are_those_of_its_lines() -> None:
    lines = re.findall(r"^\| [a-z0-9-]+ \| (\w+) \| (\w+) \|", PAGE, re.MULTILINE)
    then, now = (Counter(line[place] for line in lines) for place in (0, 1))
    for kind, what in CLASSES.items():
        assert f"| {kind}: {what} | {then[kind]} | {now[kind]} |" in PAGE
