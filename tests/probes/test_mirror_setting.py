from pathlib import Path

from runbook.connections import files
from runbook.model.fact import Fact, tabulate
from runbook.model.probe import Deadline
from runbook.probes import mirror_setting
from support.mirror_played import SOURCE, mirrored

FILE = "clusters = us, eu\nus->eu.enabled = true\nus.consumer.fetch.min.bytes = 9\n"


def in_file(path: Path) -> Fact:
    connection = files.connect({"mirror_maker": [str(path)]}, Deadline(5))
    return tabulate("mirror_setting", mirror_setting.PROBE.columns, mirror_setting.observe(connection))


def test_on_connect_a_key_in_vain_and_one_that_holds_are_told_apart():
    played = mirrored(consumer_fetch_min_bytes="9", compression_type="lz4")
    rows = {row["given"]: row for row in played.observe("mirror_setting").rows() if row["connector"] == SOURCE}
    held, vain = rows["consumer.fetch.min.bytes"], rows["compression.type"]
    assert (held["client"], held["value"], held["in_force"], held["ignored_because"]) == (
        "source consumer",
        "9",
        True,
        "",
    )
    assert (vain["client"], vain["in_force"]) == ("target producer", False)
    assert vain["ignored_because"].endswith("write producer.override.compression.type")


def test_no_credential_is_shown_whatever_it_is_called():
    played = mirrored(
        source_cluster_sasl_jaas_config='required password="correct-horse";',
        consumer_ssl_keystore_password="${file:/run/keys:store}",
        producer_override_interceptor_classes="https://me:battery-staple@host",
    )
    fact = played.observe("mirror_setting")
    rows = {row["given"]: row["value"] for row in fact.rows()}
    assert rows["source.cluster.sasl.jaas.config"] == "«hidden»"
    assert rows["consumer.ssl.keystore.password"] is None
    assert ("correct-horse" in repr(fact), "battery-staple" in repr(fact)) == (False, False)


def test_in_a_file_what_stands_for_no_flow_has_no_connector(tmp_path: Path):
    path = tmp_path / "mm2.properties"
    path.write_text(FILE + "num.streams = 4\n")
    rows = {(row["connector"], row["given"]): row for row in in_file(path).rows() if row["given"]}
    assert rows["us->eu MirrorSourceConnector", "us.consumer.fetch.min.bytes"]["in_force"] is True
    assert rows["", "num.streams"]["in_force"] is False


def test_a_connector_that_is_turned_off_has_no_clients(tmp_path: Path):
    path = tmp_path / "mm2.properties"
    path.write_text(FILE + "eu->us.enabled = false\n")
    reading = {row["connector"] for row in in_file(path).rows() if row["client"] == "source consumer"}
    assert reading == {"us->eu MirrorSourceConnector", "us->eu MirrorCheckpointConnector"}
    assert SOURCE in mirrored().observe("mirror_setting").columns["connector"]
    assert SOURCE not in mirrored(enabled="false").observe("mirror_setting").columns["connector"]


def test_a_key_for_one_direction_is_not_in_vain_in_the_other(tmp_path: Path):
    path = tmp_path / "mm2.properties"
    path.write_text(FILE + "eu.consumer.fetch.min.bytes = 9\n")
    [vain] = [row for row in in_file(path).rows() if not row["in_force"]]
    assert (vain["connector"], vain["given"]) == ("us->eu MirrorSourceConnector", "eu.consumer.fetch.min.bytes")
    path.write_text(FILE + "eu.consumer.fetch.min.bytes = 9\neu->us.enabled = true\n")
    assert [row for row in in_file(path).rows() if not row["in_force"]] == []


def test_a_file_that_is_another_is_a_gap(tmp_path: Path):
    path = tmp_path / "mm2.properties"
    path.write_text("acks = all\n")
    fact = in_file(path)
    assert (len(fact), len(fact.gaps), "names no clusters" in fact.gaps[0].reason) == (0, 1, True)
