"""The checks of topics.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

_BESIDE: Final = {
    "changelogs-have-one-writer": "no lab with an authorizer has topics of a state",
    "the-log-cleaner-is-alive": "scenes with metrics were kept before it; tried by hand on Kafka 4.3, where it passes; "
    "no fault of a lab kills a cleaner thread",
    "the-topic-is-as-decided": "gates of walks alone judge it: seen in tests/live/groups/test_walked.py",
    "topics-have-one-schema": "the labs with a registry are judged by the runbook on schemas, and not by this one",
}
NEVER_PASS: Final = _BESIDE
NEVER_FAIL: Final = {
    **_BESIDE,
    "the-log-cleaner-is-on": "seen to fail on a real cluster, tests/records/played/second-4.md, 8",
    "topics-take-a-full-batch": "no fault of a lab lowers max.message.bytes so far yet; cases show it",
    "the-index-of-the-remote-store-is-kept": "the lab with tiered storage loses its store, not its index",
    "tiered-topics-keep-less-locally": "the tiered topic of that lab keeps a second's records locally",
    "topics-are-made-on-purpose": "auto.create.topics.enable is read when a broker starts: with it a lab is "
    "another one, in which each typing error of a test makes a topic",
}
