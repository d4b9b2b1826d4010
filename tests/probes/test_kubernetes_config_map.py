import pytest

from runbook.model.errors import Misconfigured
from support.recorded_kubernetes import Played

MAPS = "/api/v1/namespaces/kafka/configmaps"


def test_names_and_sizes_are_told_and_no_values():
    row = Played("healthy").row("kubernetes_config_map", config_map="kafka")
    assert row["keys"] == ["server.properties"]
    assert row["bytes"] > 0
    assert row["settings"] == {}
    assert not row["immutable"]


def test_chosen_settings_are_read_as_java_reads_properties():
    played = Played("healthy")
    played.item(MAPS, "kafka")["data"] = {
        "server.properties": "# broker.rack=old\n! note\n\nbroker.rack = az-a\nlog.dirs: /data\nbroker.rack=az-b\nbare"
    }
    names = {"settings": ["broker.rack", "log.dirs", "bare", "absent"]}
    row = played.row("kubernetes_config_map", parameters=names, config_map="kafka")
    assert row["settings"] == {"broker.rack": "az-b", "log.dirs": "/data"}


def test_credentials_are_not_read_out_of_config_maps():
    with pytest.raises(Misconfigured, match=r"ssl\.keystore\.password may hold a credential"):
        Played("healthy").observe("kubernetes_config_map", settings=["log.dirs", "ssl.keystore.password"])


def test_half_a_character_has_a_size_too():
    played = Played("healthy")
    played.item(MAPS, "kafka")["data"] = {"a": "\ud800"}
    assert played.row("kubernetes_config_map", config_map="kafka")["bytes"] == 3
