from typing import Any


def test_features_tell_the_level_in_force_and_the_levels_supported(healthy: Any):
    row = healthy.row("kafka_feature", feature="metadata.version")
    assert row["min"] <= row["finalized"] <= row["max"]
    assert healthy.row("kafka_feature", feature="eligible.leader.replicas.version")["finalized"] == 1


def test_brokers_without_versioned_features_make_the_question_meaningless(healthy: Any):
    healthy.python.refused["ApiVersions"] = 35
    assert "older than Kafka 2.7" in healthy.observe("kafka_feature").inapplicable
