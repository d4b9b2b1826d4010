import pytest

from runbook.model.errors import Denied, Garbled, Misconfigured
from support.recorded_kubernetes import Played

GROUP = "/apis/kafka.strimzi.io"
KAFKAS = "/apis/kafka.strimzi.io/v1/namespaces/kafka/kafkas"


def test_strimzis_kafka_tells_how_it_is_and_how_it_should_be():
    [row] = Played("everything").observe("kubernetes_custom_resource").rows()
    assert (row["kind"], row["resource"], row["version"], row["cluster"]) == ("Kafka", "orders", "v1", "orders")
    assert (row["ready"], row["reason"], row["observed"], row["paused"]) == (True, "", True, False)
    assert (row["kafka_version"], row["metadata_version"]) == ("4.1.0", "4.1-IV1")
    assert row["rack_key"] == "topology.kubernetes.io/zone"
    assert row["listeners"] == ["plain:9092:internal", "tls:9093:internal:tls"]


def test_a_node_pool_served_in_an_older_version_is_read_in_that():
    [row] = Played("everything").observe("kubernetes_custom_resource", kind="KafkaNodePool").rows()
    assert (row["version"], row["cluster"], row["replicas"]) == ("v1beta2", "orders", 3)
    assert (row["roles"], row["storage"]) == (["broker", "controller"], "jbod")


def test_without_the_operator_the_question_has_no_meaning():
    fact = Played("healthy").observe("kubernetes_custom_resource")
    assert "no resources of kafka.strimzi.io" in fact.inapplicable


def test_a_kind_that_is_not_installed_is_absent_too():
    fact = Played("everything").observe("kubernetes_custom_resource", kind="KafkaTopic")
    assert "no kafkatopics.kafka.strimzi.io" in fact.inapplicable


def test_not_being_allowed_to_see_them_is_not_their_absence():
    played = Played("everything")
    played.statuses[KAFKAS] = 403
    with pytest.raises(Denied, match=r"list kafkas\.kafka\.strimzi\.io in namespace kafka"):
        played.observe("kubernetes_custom_resource")
    played = Played("everything")
    played.statuses[GROUP] = 403
    with pytest.raises(Denied, match="get /apis/kafka"):
        played.observe("kubernetes_custom_resource")


@pytest.mark.parametrize(("kind", "status"), [("NotReady", "True"), ("Ready", "False")])
def test_what_the_operator_complains_of_is_told(kind: str, status: str):
    played = Played("everything")
    thing = played.item(KAFKAS, "orders")
    thing["metadata"] |= {"generation": 9, "annotations": {"strimzi.io/pause-reconciliation": "true"}}
    thing["status"]["conditions"] = [
        {"type": kind, "status": status, "reason": "TimeoutException"},
        {"type": "Warning", "status": "True", "reason": "DeprecatedFields"},
    ]
    [row] = played.observe("kubernetes_custom_resource").rows()
    assert (row["ready"], row["reason"], row["observed"], row["paused"]) == (False, "TimeoutException", False, True)
    assert row["warnings"] == ["DeprecatedFields"]


def test_an_unknown_kind_is_refused_with_those_that_are_known():
    with pytest.raises(Misconfigured, match="did you mean KafkaTopic"):
        Played("everything").observe("kubernetes_custom_resource", kind="KafkaTopics")


def test_a_version_of_a_number_without_end_is_none():
    played = Played("everything")
    played.answers["/apis/kafka.strimzi.io"]["versions"] = [{"version": "v1beta" + "9" * 5000}]
    with pytest.raises(Garbled, match="no version of a Kubernetes API"):
        played.observe("kubernetes_custom_resource")
