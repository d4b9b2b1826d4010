from runbook.recoveries import claim_has_its_volume, description_is_accepted, operator_runs, reconciliation_goes_on
from support.kafka_facts import fact, situation


def test_a_claim_that_had_lost_its_volume_is_bound_to_one_that_was_never_seen() -> None:
    seen = fact("kubernetes_claim", [{"claim": name, "phase": "Lost", "volume": "v"} for name in "ab"])
    made = claim_has_its_volume.RECOVERY.sets["kubernetes_claim"](seen, situation({"claims": ["a"]}))
    assert (made.columns["phase"], made.columns["volume"]) == (["Bound", "Lost"], [None, "v"])


def test_a_description_that_is_accepted_is_of_that_kafka_alone() -> None:
    resources = [("Kafka", "orders"), ("Kafka", "other"), ("KafkaTopic", "orders")]
    given = situation({"kafkas": ["orders"]})
    for probe in ("kubernetes_custom_resource", "strimzi_status"):
        seen = fact(
            probe, [{"kind": kind, "resource": name, "ready": False, "reason": "No"} for kind, name in resources]
        )
        made = description_is_accepted.RECOVERY.sets[probe](seen, given)
        assert made.columns["ready"] == [True, False, False]
        assert made.columns["reason"] == ["", "No", "No"]


def test_what_the_operator_says_of_a_resource_that_was_paused_is_not_known() -> None:
    resources = [("Kafka", "orders"), ("Kafka", "other"), ("KafkaTopic", "orders")]
    given = situation({"kafkas": ["orders"]})
    for probe in ("kubernetes_custom_resource", "strimzi_status"):
        seen = fact(
            probe, [{"kind": kind, "resource": name, "paused": True, "ready": False} for kind, name in resources]
        )
        made = reconciliation_goes_on.RECOVERY.sets[probe](seen, given)
        assert (made.columns["paused"], made.columns["ready"]) == ([False, True, True], [None, False, False])


def test_an_operator_that_runs_has_one_pod_at_least() -> None:
    deployments = [("scaled-down", 0, 0), ("broken", 2, 0), ("untold", None, 0), ("other", 1, 0)]
    seen = fact("strimzi_component", [{"deployment": name, "replicas": n, "ready": r} for name, n, r in deployments])
    given = situation({"deployments": ["scaled-down", "broken", "untold"]})
    made = operator_runs.RECOVERY.sets["strimzi_component"](seen, given)
    assert (made.columns["replicas"], made.columns["ready"]) == ([1, 2, None, 1], [1, 2, None, 0])
