from pathlib import Path

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import mirror_connector
from support.connect_servers import Played
from support.mirror_played import SOURCE, mirrored

FILE = "clusters = us, eu\nus->eu.enabled = true\nus->eu.topics = orders.*\nemit.heartbeats.enabled = false\n"


def in_files(*paths: Path) -> Fact:
    connection = files.connect({"mirror_maker": [str(path) for path in paths]}, Deadline(5))
    return tabulate("mirror_connector", mirror_connector.PROBE.columns, mirror_connector.observe(connection))


def test_on_connect_its_state_and_the_values_in_force_are_told():
    row = mirrored(topics="orders.*, payments").rows("mirror_connector", "connector")[SOURCE]
    assert (row["kind"], row["source"], row["target"], row["enabled"]) == ("source", "primary", "standby", True)
    assert (row["state"], row["tasks"], row["tasks_running"], row["tasks_failed"]) == ("RUNNING", 2, 2, 0)
    assert (row["topics"], row["tasks_max"], row["sync_topic_configs"]) == (["orders.*", "payments"], 2, True)
    assert (row["sync_topic_acls"], row["offset_lag_max"], row["groups"]) == (False, 0, None)
    assert (row["file"], row["group"], row["exactly_once"]) == ("", None, None)


def test_connectors_of_others_are_left_out():
    assert len(Played("healthy").observe("mirror_connector")) == 0
    rows = mirrored().observe("mirror_connector").rows()
    assert {row["kind"] for row in rows} == {"source", "checkpoint", "heartbeat"}


def test_a_checkpoint_connector_leaves_out_the_topics_that_the_copies_leave_out_by_default():
    rows = mirrored().rows("mirror_connector", "kind")
    assert rows["checkpoint"]["topics_exclude"] == [r"mm2.*\.internal", r".*\.replica", "__.*"]
    assert rows["source"]["topics_exclude"] != rows["checkpoint"]["topics_exclude"]


def test_a_value_that_stands_elsewhere_is_not_known():
    row = mirrored(topics="${file:/etc/mirror:topics}").rows("mirror_connector", "connector")[SOURCE]
    assert row["topics"] is None


def test_the_release_of_the_workers_decides_which_defaults_hold():
    played = mirrored()
    for answers in played.answers.values():
        answers["/"] = '{"version": "7.9.0-ccs", "commit": "x", "kafka_cluster_id": "y"}'
    row = played.rows("mirror_connector", "kind")["checkpoint"]
    assert row["topics_exclude"][0] == r".*[\-\.]internal"


def test_a_file_tells_all_but_how_it_is(tmp_path: Path):
    path = tmp_path / "mm2.properties"
    path.write_text(FILE)
    fact = in_files(path)
    rows = {row["connector"]: row for row in fact.rows()}
    row = rows["us->eu MirrorSourceConnector"]
    assert fact.complete
    assert (row["state"], row["tasks"], row["topics"], row["group"]) == (None, None, ["orders.*"], "us-mm2")
    assert (row["exactly_once"], row["internal_rest"], row["file"]) == (
        "disabled",
        False,
        str(tmp_path / "mm2.properties"),
    )
    assert rows["us->eu MirrorHeartbeatConnector"]["emit_heartbeats"] is False


def test_of_two_files_with_the_same_flow_both_are_told(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.properties").write_text(FILE)
    fact = in_files(tmp_path / "*.properties")
    assert len({(row["connector"], row["file"]) for row in fact.rows()}) == len(fact) == 6


def test_a_file_that_is_missing_or_another_is_a_gap_and_the_others_are_told(tmp_path: Path):
    (tmp_path / "mm2.properties").write_text(FILE)
    (tmp_path / "other.properties").write_text("bootstrap.servers = a:1\n")
    fact = in_files(tmp_path / "mm2.properties", tmp_path / "other.properties", tmp_path / "none.properties")
    assert {row["source"] for row in fact.rows()} == {"us"}
    assert sorted("names no clusters" in gap.reason for gap in fact.gaps) == [False, True]
