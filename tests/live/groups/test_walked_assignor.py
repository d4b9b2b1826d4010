"""An assignor of one's own: written as consumers.md has it, tried, and put in force in a group of Java's clients."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.tools import class_path
from kafka_lab.waiting import wait_until
from runbook.java import find_java
from runbook.plugins.content import builtin_runbooks
from support.careful_walker import Walked, does_nothing
from support.evidence.labs import Labs
from support.forgetful import Forgetful, Notes, wrong
from support.java_compiler import compile_into
from support.kept_walks import Keep
from support.numbered_records import PARTITIONS
from support.operators import Operator, at_work, completed
from support.sharing_members import SHARING, Members, members

pytestmark = [pytest.mark.live, pytest.mark.thorough]
_WITHIN: Final = 240.0  # seconds; a busy machine takes its time
_SAMPLE: Final = re.compile(r'^```java title="ByPriority\.java[^\n]*\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_TRIED: Final = Path(__file__).parents[2] / "support" / "java" / "AssignorTried.java"
_NAMED: Final = {"GROUP": SHARING, "ASSIGNOR": "by-priority"}


@pytest.fixture
def lab(running: Labs) -> LabState:
    """The lab."""
    state: LabState = running.of("groups")
    return state


@pytest.fixture
def operator(lab: LabState, tmp_path: Path) -> Iterator[Operator]:
    """Somebody at such a lab, where numbered records are written and read."""
    with at_work(lab, tmp_path) as person:
        yield person


def compiled(lab: LabState, folder: Path) -> Path:
    """The assignor as it stands in the runbook, and what tries it; gives their folder."""
    folder.mkdir(exist_ok=True)
    [sample] = _SAMPLE.findall((builtin_runbooks() / "consumers.md").read_text("utf-8"))
    (folder / "ByPriority.java").write_text(sample, "utf-8")
    compile_into(folder, [folder / "ByPriority.java", _TRIED], lab)
    return folder


def goes_over(operator: Operator, lab: LabState, both: Members, classes: Path) -> None:
    """Walk change-the-assignor, from ranges to this one, as its commands have it."""
    both.classes, both.own = classes, ("assignor.priority=1", "assignor.priority=2")
    types = operator.types(_NAMED)

    def deploys(commands: Sequence[str]) -> None:
        types([re.sub(r"org[\w.]*CooperativeStickyAssignor", "ByPriority", command) for command in commands])
        both.deploy()

    walked = Walked(operator.folder, "consumers#change-the-assignor", lab.name, words=_NAMED)
    record = walked.by([types, deploys, deploys, types])
    assert completed(record), record.entries[-3:]


@pytest.mark.parametrize("left_out", wrong((4,)))
def test_an_assignor_of_ones_own_gives_all_to_the_one_that_comes_first(
    operator: Operator, lab: LabState, left_out: Sequence[int], notes: Notes, keeps: Keep
) -> None:
    classes = operator.folder / "classes"

    def writes_it(_: Sequence[str]) -> None:
        compiled(lab, classes)

    def tries_it(_: Sequence[str]) -> None:
        command = [str(find_java()), "-cp", f"{class_path(lab)}:{classes}", "AssignorTried"]
        assert "5000 groups" in subprocess.run(command, capture_output=True, text=True, check=True, timeout=800).stdout

    with members(lab, operator.folder) as both:
        assert both.assignor == "range"
        assert len(set(both.owners.values())) == len(both.own)
        person = Forgetful(left_out)
        record = person.walks(
            Walked(operator.folder, "consumers#write-an-assignor", lab.name, words=_NAMED),
            [does_nothing, writes_it, tries_it, lambda _: goes_over(operator, lab, both, classes), does_nothing],
        )
        notes(person.lines("consumers#write-an-assignor"))
        assert completed(record), record.entries[-3:]
        assert both.owners == dict.fromkeys(range(PARTITIONS), "member-1")
        both.kill(1)
        spare = dict.fromkeys(range(PARTITIONS), "member-0")
        wait_until(lambda: both.owners == spare, "the spare to own all", within=_WITHIN)
    keeps(record, "groups", person.way, person.noticed)
