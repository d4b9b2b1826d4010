from collections.abc import Callable
from typing import Any

Play = Callable[..., Any]
LOG = "mm2-offset-syncs.standby.internal"


def test_each_partition_that_is_copied_has_its_newest_sync(play: Play):
    fact = play("mirror_source", LOG).observe("mirror_offset_sync")
    rows = [*fact.rows()]
    assert fact.complete
    places = [(row["log"], row["topic"], row["partition"]) for row in rows]
    assert places == sorted(set(places))
    assert {"orders", "payments", "clicks", "heartbeats"} <= set(fact.columns["topic"])
    assert all(row["at"].endswith("Z") and row["downstream"] >= 0 for row in rows)


def test_a_log_that_may_not_be_read_is_a_gap(play: Play):
    fact = play("mirror_source", "orders").observe("mirror_offset_sync")
    assert (len(fact), [gap.keys for gap in fact.gaps]) == (0, [{"topic": LOG}])
