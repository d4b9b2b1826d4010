from collections.abc import Callable
from typing import Any

Play = Callable[..., Any]
LOG = "primary.checkpoints.internal"


def test_a_group_has_its_newest_position_in_each_partition(play: Play):
    fact = play("mirror_target", LOG).observe("mirror_checkpoint")
    rows = [*fact.rows()]
    assert fact.complete
    assert {(row["log"], row["group"], row["topic"]) for row in rows} == {(LOG, "billing", "primary.orders")}
    assert [row["partition"] for row in rows] == [0, 1, 2, 3, 4, 5]
    assert all(0 < row["downstream"] <= row["upstream"] and row["at"].endswith("Z") for row in rows)


def test_a_log_that_may_not_be_read_is_a_gap(play: Play):
    fact = play("mirror_target").observe("mirror_checkpoint")
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"topic": LOG}])


def test_a_cluster_without_such_a_log_has_no_rows_and_no_gap(play: Play):
    fact = play("records", "*").observe("mirror_checkpoint")
    assert (len(fact), fact.complete) == (0, True)


def test_a_log_of_another_kind_is_a_gap(play: Play):
    fact = play("mirror_source", "*").observe("mirror_checkpoint", topics=["mm2-offset-syncs.*"])
    assert "no checkpoint of MirrorMaker" in fact.gaps[0].reason
