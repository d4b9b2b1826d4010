from support.strimzi_played import DEPLOYMENTS, KAFKAS, platform


def test_what_a_cluster_asks_for_is_told():
    rows = {row["component"]: row for row in platform().observe("strimzi_component").rows()}
    assert set(rows) == {"entity-operator", "cruise-control", "kafka-exporter"}
    row = rows["entity-operator"]
    assert (row["deployment"], row["kafka"], row["there"]) == ("orders-entity-operator", "orders", True)
    assert (row["replicas"], row["ready"]) == (1, 1)


def test_what_nobody_asked_for_is_no_row():
    played = platform()
    del played.item(KAFKAS, "orders")["spec"]["kafkaExporter"]
    assert "kafka-exporter" not in played.observe("strimzi_component").columns["component"]


def test_an_entity_operator_without_any_operator_is_not_made():
    played = platform()
    played.item(KAFKAS, "orders")["spec"]["entityOperator"] = {"template": {}, "topicOperator": None}
    assert "entity-operator" not in played.observe("strimzi_component").columns["component"]


def test_what_is_missing_or_not_ready_is_told_apart():
    played = platform()
    played.items(DEPLOYMENTS).remove(played.item(DEPLOYMENTS, "orders-cruise-control"))
    deployment = played.item(DEPLOYMENTS, "orders-entity-operator")
    deployment["spec"]["replicas"] = 2
    deployment["status"] = {}
    rows = {row["component"]: row for row in played.observe("strimzi_component").rows()}
    missing, waiting = rows["cruise-control"], rows["entity-operator"]
    assert (missing["there"], missing["replicas"], missing["ready"]) == (False, 0, 0)
    assert (waiting["there"], waiting["replicas"], waiting["ready"]) == (True, 2, 0)


def test_an_operator_in_the_same_namespace_is_a_row():
    played = platform()
    template = {"metadata": {"labels": {"strimzi.io/kind": "cluster-operator"}}}
    operator = {"metadata": {"name": "strimzi-cluster-operator"}, "spec": {"replicas": 0, "template": template}}
    played.items(DEPLOYMENTS).append(operator)
    row = played.row("strimzi_component", component="cluster-operator")
    assert (row["deployment"], row["kafka"]) == ("strimzi-cluster-operator", "")
    assert (row["there"], row["replicas"], row["ready"]) == (True, 0, 0)


def test_without_strimzi_the_question_has_no_meaning():
    played = platform()
    del played.answers["/apis/kafka.strimzi.io"]
    assert played.observe("strimzi_component").inapplicable
