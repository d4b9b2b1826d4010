"""Two looks at an environment: only what was asked at both times can have changed."""

from runbook.changes.difference import EntityChange
from runbook.changes.observations import Inquiry, Observation, compare_observations
from runbook.model.column import Column
from runbook.model.fact import Fact

COLUMNS = {"topic": (Column("name", "string", "Name.", key=True, entity="topic"),)}
ALL, OWN = Inquiry("topic"), Inquiry("topic", '{"internal": false}')


def look(at: str, **topics: list[str]) -> Observation:
    """What was seen: of all topics, and of those that are not internal."""
    asked = {"all": ALL, "own": OWN}
    return Observation("prod", at, {asked[key]: Fact("topic", {"name": names}) for key, names in topics.items()})


def changes(old: Observation, new: Observation) -> list[EntityChange]:
    """What changed."""
    return compare_observations(old, new, COLUMNS).changes


def test_a_question_that_was_put_once_shows_nothing() -> None:
    found = compare_observations(
        look("2026-11-23T06:00:00Z", all=["a"]), look("2026-11-24T06:00:00Z", own=["a", "b"]), COLUMNS
    )
    assert (found.changes, found.rows) == ([], 0)
    assert [(one.look, one.rows, one.asked) for one in found.unseen] == [("old", 2, False), ("new", 1, False)]
    assert (found.environment, found.old, found.new) == ("prod", "2026-11-23T06:00:00Z", "2026-11-24T06:00:00Z")


def test_a_change_that_two_questions_show_is_one() -> None:
    [change] = changes(look("1", all=["a"], own=["a"]), look("2", all=["a", "b"], own=["a", "b"]))
    assert (change.kind, change.subjects) == ("came", ({"name": "b"},))


def test_no_change_is_no_change() -> None:
    assert changes(look("1", all=["a"]), look("2", all=["a"])) == []
