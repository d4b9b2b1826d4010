"""The page gives the rights that probes need, and no others. The live tests set just these on a broker."""

import re

import pytest

from runbook.connections.kafka import READS
from runbook.plugins.catalog import catalog
from runbook.plugins.request import artefacts
from support.documented import titled
from support.documented_rights import PAGE, Right, documented_rights

NEEDED = re.compile(r"(Describe|DescribeConfigs) on (?:all |the )*(topic|cluster|group|transactional id)s?")
PROBES = [name for name in catalog("probes").names() if catalog("probes").load(name).PROBE.connections == ("kafka",)]


def needed(probe: str) -> list[tuple[str, str]]:
    """The rights a probe declares for what it does everywhere; of "A or B" both, as the page gives both."""
    found = []
    declared = catalog("probes").load(probe).PROBE
    for right in declared.rights:
        if right.startswith("Read on the topics"):
            assert declared.waits_for == "may_read" or "DescribeProducers" in declared.requests
            continue
        said = [(match[1], match[2]) for match in NEEDED.finditer(right.replace("or on all", "or Describe on all"))]
        assert said or right.startswith("none"), f"{probe}: {right}"
        found += said
    return found


def given() -> set[tuple[str, str]]:
    """What the page gives, in the words of probes."""
    return {(right.operation, right.kind.replace("_", " ")) for right in documented_rights()}


@pytest.mark.parametrize("probe", PROBES)
def test_the_page_gives_each_probe_what_it_needs(probe: str) -> None:
    assert set(needed(probe)) <= given()


def test_the_page_gives_nothing_that_no_probe_needs() -> None:
    needed_by_some = {right for probe in PROBES for right in needed(probe)}
    assert given() <= needed_by_some


def test_the_page_gives_no_right_to_change_or_read_anything() -> None:
    assert {right.operation for right in documented_rights()} == {"Describe", "DescribeConfigs"}
    assert Right("Describe", "cluster", "kafka-cluster") in documented_rights()


def test_records_may_be_read_of_topics_that_are_named_and_of_no_others() -> None:
    rights = documented_rights("Rights to read some records")
    assert {(right.operation, right.kind) for right in rights} == {("Read", "topic")}
    assert not [right for right in rights if "*" in right.name]


def test_the_commands_of_the_page_are_those_that_the_tool_prints() -> None:
    assert titled(PAGE, "Rights of the principal") == artefacts()["kafka-acls"]


def test_the_requests_listed_are_those_a_connection_may_make() -> None:
    assert tuple(titled(PAGE, "Requests").split()) == READS
