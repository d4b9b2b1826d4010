"""How brokers failed, in a word, in every kept state of a real system."""

from pathlib import Path
from typing import Any

import pytest

from runbook.answers.kafka.failures import FAILURES
from support.evidence import record

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

SEEN = {
    "plain/stop-broker/during": {2: "refused"},
    "plain/lose-quorum/during": {2: "refused", 3: "refused"},
    "plain/freeze-broker/during": {3: "timed out"},
    "proxied/lose-sight/during": {2: "timed out", 3: "timed out"},
    "proxied/mute-metadata/during": {1: "timed out"},
    "proxied/misdirect-broker/during": {3: "another broker"},
    "layouts_in_zookeeper_mode/lose-2-after-3/before": {3: "not registered"},
}
"""State → broker → the word; of the others of it, that they answer."""


def rows(file: Path) -> list[dict[str, Any]]:
    kept = record.read(file).bundle.kept
    return [row for entry in kept if entry.ask.probe == "kafka_broker" for row in entry.facts[""].rows()]


@pytest.mark.parametrize("state", SEEN)
def test_the_word_is_that_of_the_fault(state: str) -> None:
    shape, scene, name = state.split("/")
    failures = {row["broker"]: row["failure"] for row in rows(record.place_of(shape, scene, name))}
    assert failures == dict.fromkeys(failures, "") | SEEN[state]


def test_a_word_stands_where_a_sentence_does_and_how_long_it_took_where_anything_was_tried() -> None:
    found = [row for file in record.kept() for row in rows(file)]
    assert {row["failure"] for row in found} <= {"", *FAILURES} - {"another error"}
    for row in found:
        assert (row["failure"] == "") == (row["silence"] == "") == (row["answers"] is True)
        assert (row["waited_ms"] is None) == (row["failure"] == "not registered")
        if row["greeting_ms"] is not None:
            assert row["greeting_ms"] <= row["waited_ms"] + 1  # each is rounded
    slow = [row["waited_ms"] for row in found if row["failure"] == "timed out"]
    quick = [row["waited_ms"] for row in found if row["failure"] == "refused"]
    assert min(slow) > 1000 > max(quick)
