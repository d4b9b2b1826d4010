from runbook.recoveries import claim_has_its_volume, description_is_accepted
from support.kafka_facts import fact, situation


def test_a_claim_that_had_lost_its_volume_is_bound_to_one_that_was_never_seen() -> None:
    seen = fact("kubernetes_claim", [{"claim": name, "phase": "Lost", "volume": "v"} for name in "ab"])
    made = claim_has_its_volume.RECOVERY.sets["kubernetes_claim"](seen, situation({"claims": ["a"]}))
    assert (made.columns["phase"], made.columns["volume"]) == (["Bound", "Lost"], [None, "v"])


def test_a_description_that_is_accepted_is_of_that_kafka_alone() -> None:
    told = [("Kafka", "orders"), ("Kafka", "other"), ("KafkaTopic", "orders")]
    given = situation({"kafkas": ["orders"]})
    for probe in ("kubernetes_custom_resource", "strimzi_status"):
        seen = fact(probe, [{"kind": kind, "resource": name, "ready": False, "reason": "No"} for kind, name in told])
        made = description_is_accepted.RECOVERY.sets[probe](seen, given)
        assert made.columns["ready"] == [True, False, False]
        assert made.columns["reason"] == ["", "No", "No"]
