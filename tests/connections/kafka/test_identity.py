"""Who answers at an address, by what it tells: two clusters are never taken for one, nor one broker for another."""

from types import SimpleNamespace
from typing import Any

import pytest

from runbook.answers.kafka.errors import AnotherBroker, AnotherCluster, SharedAddress
from runbook.connections.kafka.identity import (
    INVALID_REQUEST,
    refuse_another_broker,
    refuse_another_cluster,
    refuse_several_clusters,
    refuse_shared_address,
    strangers,
)
from runbook.model.errors import Misconfigured

OURS, OTHERS = SimpleNamespace(cluster_id="ours"), SimpleNamespace(cluster_id="others")


def settings(error: int, message: str = "") -> Any:
    return SimpleNamespace(results=[SimpleNamespace(error_code=error, error_message=message)])


def test_a_list_that_leads_to_two_clusters_is_refused_with_both_and_their_addresses():
    refuse_several_clusters({"a:1": OURS, "b:1": OURS, "c:1": SimpleNamespace(cluster_id=None)})
    with pytest.raises(Misconfigured, match=r"leads to 2 clusters \(a:1, c:1 to ours; b:1 to others\)"):
        refuse_several_clusters({"c:1": OURS, "b:1": OTHERS, "a:1": OURS})


def test_another_cluster_at_an_address_of_ours_is_refused_where_both_ids_are_told():
    refuse_another_cluster(OURS, "ours", "broker 2")
    refuse_another_cluster(OURS, None, "broker 2")
    refuse_another_cluster(SimpleNamespace(cluster_id=""), "ours", "broker 2")
    said = "broker 2 can't be reached: at its address another cluster answers, whose id is others"
    with pytest.raises(AnotherCluster, match=said):
        refuse_another_cluster(OTHERS, "ours", "broker 2")


def test_a_broker_that_tells_its_settings_is_proved_and_one_that_names_itself_otherwise_is_another():
    assert refuse_another_broker(settings(0), "broker 3")
    assert not refuse_another_broker(settings(31, "not authorized"), "broker 3")
    assert not refuse_another_broker(settings(INVALID_REQUEST, "something else"), "broker 3")
    message = "Unexpected broker id, expected 1 or empty string, but received 3"
    with pytest.raises(AnotherBroker, match="broker 3 can't be reached: at its address broker 1 answers"):
        refuse_another_broker(settings(INVALID_REQUEST, message), "broker 3")


def test_an_address_that_several_advertise_is_nobodys():
    refuse_shared_address("broker 2", [])
    with pytest.raises(SharedAddress, match="broker 2 can't be distinguished from broker 1 and broker 3"):
        refuse_shared_address("broker 2", [3, 1])


def test_a_server_whose_address_no_broker_of_the_cluster_has_may_lead_elsewhere():
    brokers = [SimpleNamespace(host="a", port=1), SimpleNamespace(host="fd00::2", port=2)]
    assert strangers(["a:1", "[fd00::2]:2", "a:2", "b:1"], brokers) == ["a:2", "b:1"]
