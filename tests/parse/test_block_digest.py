"""What decides a verdict has a digest that wording and names do not change."""

import pytest
from msgspec import structs

from runbook.model.block import Check
from runbook.parse.block_digest import digest_of, digest_of_change
from support.small_runbooks import compiled

CHECK = compiled("facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: topic.partitions > 0}").check


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"title": "It is well"}, True),
        ({"id": "new", "was": [CHECK.id]}, True),
        ({"id": "newest", "was": [CHECK.id, "new"]}, True),
        ({"id": "new", "was": [f"elsewhere/{CHECK.id}"]}, True),
        ({"id": "new"}, False),
        ({"severity": "low"}, False),
    ],
)
def test_a_digest_is_of_what_decides(change: dict[str, object], same: bool) -> None:  # noqa: FBT001
    changed = structs.replace(CHECK, **change)
    assert isinstance(changed, Check)
    assert (digest_of(changed) == digest_of(CHECK)) is same


def test_an_amendment_is_the_same_under_each_name_of_its_block() -> None:
    assert digest_of_change({"id": "old", "severity": "low"}) == digest_of_change({"id": "new", "severity": "low"})
    assert digest_of_change({"id": "old", "remedy": "Ask us."}) == digest_of_change({})
