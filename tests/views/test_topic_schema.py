from runbook.model.fact import Fact, Gap
from runbook.views.topic_schema import TopicSchema, compute

TOPIC = Fact("kafka_topic", {"name": ["orders", "clicks", "__offsets"], "internal": [False, False, True]})
USE = {
    "subject": ["orders-value", "orders-key", "shop.X"],
    "topic": ["orders", "orders", ""],
    "part": ["value", "key", ""],
}


def test_a_topic_has_the_subjects_that_name_it_and_kafkas_own_are_left_out():
    assert compute(topic=TOPIC, use=Fact("subject_use", USE)).rows == [
        TopicSchema(topic="orders", value=True, key=True, subjects=["orders-key", "orders-value"]),
        TopicSchema(topic="clicks", value=False, key=False, subjects=[]),
    ]


def test_a_subject_of_topic_and_record_says_what_values_are():
    use = Fact("subject_use", {"subject": ["clicks-shop.X"], "topic": ["clicks"], "part": [""]})
    assert compute(topic=TOPIC, use=use).rows[1] == TopicSchema(
        topic="clicks", value=True, key=False, subjects=["clicks-shop.X"]
    )


def test_subjects_that_could_not_be_seen_are_not_known_to_be_missing():
    rows = compute(topic=TOPIC, use=Fact("subject_use", USE, [Gap("no answer")])).rows
    assert rows == [
        TopicSchema(topic="orders", value=True, key=True, subjects=["orders-key", "orders-value"]),
        TopicSchema(topic="clicks", value=None, key=None, subjects=[]),
    ]
