"""Groups of every kind that a lab of all kinds has are in every fact of groups: none is left out without a gap."""

from pathlib import Path

import pytest

from support.evidence import record
from support.evidence.judging import fact_in

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]
STATES = [pytest.param(file, id="/".join(file.parts[-2:])) for file in record.kept() if file.parts[-3] == "groups"]
KINDS = {"classic", "consumer", "share", "streams"}


@pytest.mark.parametrize("file", STATES)
def test_every_group_that_is_listed_has_places_and_members_or_is_a_gap(file: Path):
    bundle = record.read(file).bundle
    if "kafka_group" not in {kept.ask.probe for kept in bundle.kept}:
        return
    group, lag, member = (fact_in(bundle, f"kafka_group{what}") for what in ("", "_lag", "_member"))
    if group.gaps:  # what is out of sight is in no fact
        assert lag.gaps
        assert member.gaps
        return
    listed = list(group.rows())
    assert {row["type"] for row in listed} == KINDS
    assert {row["group"] for row in listed} == {*lag.columns["group"]}
    assert {row["group"] for row in listed if row["members"]} == {*member.columns["group"]}
