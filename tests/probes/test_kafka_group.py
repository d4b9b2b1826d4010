from collections.abc import Callable
from typing import Any

from probes.groups_played import ARCHIVE, REFUNDS, member, topic_partition

Play = Callable[[str], Any]


def rows(fact: Any) -> dict[str, dict[str, Any]]:
    return {row["group"]: row for row in fact.rows()}


def test_groups_of_every_kind_are_listed_and_those_of_consumers_described(play: Play):
    played = play("offsets")
    played.recording["groups"][ARCHIVE][4] = [member("a", topic_partition("shipments", 0)), member("b"), member("c")]
    found = rows(played.observe("kafka_group"))
    assert found.keys() == {"billing", "connect", REFUNDS, ARCHIVE}
    archive = found[ARCHIVE]
    assert (archive["type"], archive["protocol"], archive["state"]) == ("classic", "consumer", "stable")
    assert (archive["assignor"], archive["members"], archive["idle"], archive["coordinator"]) == ("range", 3, 2, 1)
    assert archive["untold"] == ""


def test_members_of_a_group_that_is_none_of_consumers_are_unknown_and_it_is_said_why(play: Play):
    connect = rows(play("offsets").observe("kafka_group"))["connect"]
    assert (connect["protocol"], connect["state"], connect["coordinator"]) == ("connect", "stable", 3)
    assert (connect["members"], connect["idle"], connect["assignor"]) == (None, None, None)
    assert connect["untold"] == "it is no consumers' group but connect's"


def test_a_group_that_can_t_be_described_is_as_it_was_listed(play: Play):
    played = play("offsets")
    del played.recording["groups"][ARCHIVE]
    archive = rows(played.observe("kafka_group"))[ARCHIVE]
    assert (archive["state"], archive["coordinator"], archive["members"]) == ("stable", 1, None)
    assert "GROUP_ID_NOT_FOUND" in archive["untold"]


def test_a_silent_broker_may_hide_groups(play: Play):
    played = play("offsets")
    played.python.silent = {1}
    fact = played.observe("kafka_group")
    assert [gap.keys for gap in fact.gaps if "broker" in gap.keys] == [{"broker": 1}]
    assert ARCHIVE not in rows(fact)
