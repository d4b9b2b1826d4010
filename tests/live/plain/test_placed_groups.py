"""What `dr.md` shows to place groups in topics at the other site: at the beginning of an empty one, and only there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics, write_records
from kafka_lab.tools import write_tools
from support.careful_walker import types
from support.kept_walks import procedures
from support.two_sites_move import forget, place, positions

pytestmark = pytest.mark.live
EMPTY, FULL, MIRROR, GROUP, RECORDS = "placed-empty", "placed-full", "primary.placed", "placed-group", 7
SHOWN: Final = [
    step.command.splitlines()
    for name in ("dr/fail-over", "dr/switch-over")
    for step in procedures()[name].steps
    if "--to-earliest" in (step.command or "")
]


@pytest.fixture
def lab(healthy_lab: LabState) -> Iterator[LabState]:
    """A cluster with a group that stands in a mirror alone."""
    topics = (EMPTY, FULL, MIRROR)
    create_topics(healthy_lab, {topic: (2, 2, {}) for topic in topics})
    try:
        write_records(healthy_lab, FULL, [str(number) for number in range(RECORDS)])
        place(healthy_lab, GROUP, MIRROR, [0, 0])
        yield healthy_lab
    finally:
        forget(healthy_lab, GROUP)
        delete_topics(healthy_lab, topics)


def test_a_group_is_placed_where_the_topic_is_empty_and_never_where_it_is_not(lab: LabState, tmp_path: Path) -> None:
    shown, other = SHOWN
    assert shown[-1] == other[-1]  # over on purpose as in need
    path = write_tools(lab, tmp_path / "bin")

    def places(topic: str) -> None:
        types(tmp_path, path, {"TARGET:PORT": lab.bootstrap, "GROUP": GROUP, "TOPIC": topic})(shown)

    places(EMPTY)
    assert positions(lab, GROUP, EMPTY) == [0, 0]
    with pytest.raises(
        AssertionError, match=f"{FULL} holds {RECORDS} records, and {GROUP}, which has no position there"
    ):
        places(FULL)
    assert positions(lab, GROUP, FULL) == []

    write_records(lab, EMPTY, ["one more"])  # as from an earlier move: it keeps what it has
    place(lab, GROUP, EMPTY, [1, 1])
    places(EMPTY)
    assert positions(lab, GROUP, EMPTY) == [1, 1]

    [at_the_end] = re.findall(r"At the end: (.*--execute); at the beginning", shown[-1])
    types(tmp_path, path, {"TARGET:PORT": lab.bootstrap, "GROUP": GROUP, "TOPIC": FULL})([at_the_end])
    assert sum(positions(lab, GROUP, FULL)) == RECORDS
