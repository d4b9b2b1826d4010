from typing import get_args

import msgspec

from runbook.model.block import Severity
from runbook.model.run import Head, run_id


def test_run_ids_sort_by_time_and_are_unique() -> None:
    assert run_id("2026-11-21T09:05:07.228Z").startswith("20261121T090507Z-")
    assert run_id("2026-11-21T09:05:07.228Z") < run_id("2026-11-21T09:05:12.001Z")
    assert len({run_id("2026-11-21T09:05:07.228Z") for _ in range(1000)}) == 1000


def test_severities_are_ordered_from_mild_to_grave() -> None:
    assert get_args(Severity)[0] == "info"
    assert get_args(Severity)[-1] == "critical"


def test_what_a_cluster_did_not_say_of_itself_is_null():
    head = msgspec.to_builtins(Head("prod"))
    assert {name for name, value in head.items() if value is None} == {
        *("cluster_id", "kafka_version", "mode"),
        *("brokers", "answering", "silent"),
    }


def test_what_earlier_versions_kept_for_not_known_is_read_as_that():
    kept = b'{"environment":"prod","cluster_id":"","kafka_version":"","mode":"","brokers":-1,"answering":-1}'
    assert msgspec.json.decode(kept, type=Head) == Head("prod")
    known = b'{"environment":"prod","cluster_id":"c","kafka_version":"4.1","mode":"kraft","brokers":0,"answering":0}'
    head = msgspec.json.decode(known, type=Head)
    assert (head.cluster_id, head.kafka_version, head.mode) == ("c", "4.1", "kraft")
    assert (head.brokers, head.answering) == (0, 0)
