"""What waits for its upload to tiered storage, as a lab of Kafka 4.3 showed it under a quota of 20 kB/s."""

from typing import Any

import pytest

from runbook.model.fact import Fact, Gap
from runbook.views.remote_upload import RemoteUpload, compute
from support.kafka_facts import fact

MIB = 1024 * 1024
REMOTE = {"broker": 1, "copied": 84778.6, "copy_lag": 112367399, "copy_lag_segments": 124}
REMOTE |= {"copy_requests": 0.09, "copy_errors": 0.0}
QUOTA = {"broker": 1, "setting": "remote.log.manager.copy.max.bytes.per.second", "value": "20000"}
QUOTA |= {"source": "DYNAMIC_DEFAULT_BROKER_CONFIG"}
CONFIG = {"topic": "archive", "retention_ms": 604800000, "segment_bytes": MIB, "remote_storage": True}
CONFIG |= {"local_retention_ms": 1000, "local_retention_bytes": -2}
LED = {"topic": "archive", "partition": 0, "leader": 1}
SIZE = {"topic": "archive", "partition": 0, "broker": 1, "path": "/data", "size": 445 * MIB}


def upload(
    remote: dict[str, Any] | None = None,
    quota: dict[str, Any] | None = None,
    config: dict[str, Any] | None = None,
    sizes: Fact | None = None,
) -> RemoteUpload:
    [row] = compute(
        remote=fact("broker_remote_storage", [REMOTE | (remote or {})]),
        setting=fact("kafka_broker_setting", [QUOTA | (quota or {})]),
        partition=fact("kafka_partition", [LED]),
        size=sizes or fact("kafka_replica_size", [SIZE, SIZE | {"broker": 2}]),
        config=Fact("topic_config", {name: [value] for name, value in (CONFIG | (config or {})).items()}),
    ).rows
    assert isinstance(row, RemoteUpload)
    return row


def test_under_the_quota_sizes_on_disk_say_what_waits() -> None:
    row = upload()
    assert (row.at_quota, row.quota, row.reported, row.untold) == (True, 20000, 112367399, "")
    assert row.waiting == 444 * MIB - 84778


@pytest.mark.parametrize("value", ["9223372036854775807", ""])
def test_without_a_quota_the_metric_holds(value: str) -> None:
    row = upload(quota={"value": value})
    assert (row.at_quota, row.quota, row.source, row.waiting) == (False, -1, "", 112367399)


def test_below_the_quota_the_metric_holds() -> None:
    row = upload(quota={"value": "1000000"})
    assert (row.at_quota, row.waiting) == (False, 112367399)


def test_what_local_retention_keeps_does_not_wait() -> None:
    week = {"local_retention_ms": 604800000}
    assert upload(config=week).waiting == 112367399
    assert upload(config=week | {"local_retention_bytes": 144 * MIB}).waiting == 300 * MIB
    assert upload(config={"local_retention_ms": -2}).waiting == 112367399


def test_what_uploads_at_the_full_quota_brought_about_does_not_wait() -> None:
    """Local retention of a day keeps 864 GB of a quota of 10 MB/s, also while uploads are at 91 % of it."""
    size = fact("kafka_replica_size", [SIZE | {"size": 864_000_000_000 + MIB}])
    remote = {"copied": 9.1e6, "copy_lag": 0, "copy_lag_segments": 0}
    row = upload(remote, {"value": "10000000"}, {"local_retention_ms": 86_400_000}, size)
    assert (row.at_quota, row.waiting) == (True, 0)


def test_other_topics_do_not_wait() -> None:
    assert upload(config={"remote_storage": False}).waiting == 112367399


@pytest.mark.parametrize(
    "cells",
    [{"remote_storage": None}, {"segment_bytes": None}, {"local_retention_ms": -1, "local_retention_bytes": -1}],
)
def test_what_is_not_known_of_a_topic_leaves_it_unknown_with_its_reason(cells: dict[str, Any]) -> None:
    row = upload(config=cells)
    assert row.waiting is None
    assert "latest tiered offset" in row.untold


def test_sizes_that_were_not_told_leave_it_unknown() -> None:
    assert upload(sizes=fact("kafka_replica_size", [], Gap("broker 1 did not answer"))).waiting is None


def test_a_quota_that_is_not_known_leaves_it_unknown_with_its_reason() -> None:
    row = upload(quota={"value": None})
    assert (row.quota, row.at_quota, row.waiting) == (None, None, None)
    assert "could not be read" in row.untold
    assert upload(quota={"broker": 2}).quota is None
    assert upload(remote={"copied": None}).at_quota is None
