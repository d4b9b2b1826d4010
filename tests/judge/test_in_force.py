"""A command that would set what is in force already is not printed."""

from typing import Any

import pytest

from runbook.judge.in_force import settings_in, without_what_is_in_force
from runbook.model.column import Column

TOPIC = (
    Column("name", "string", "Name.", key=True, entity="topic"),
    Column("retention_ms", "int", "Kept.", setting="retention.ms"),
    Column("cleanup_policy", "string", "How.", setting="cleanup.policy"),
    Column("unclean", "bool", "Whether.", setting="unclean.leader.election.enable"),
)
BROKER = (
    Column("broker", "int", "Id.", key=True, entity="broker"),
    Column("unclean", "bool", "Whether.", setting="unclean.leader.election.enable"),
)
SET = "Raise it: `kafka-configs.sh --entity-type topics --entity-name TOPIC --add-config retention.ms=5`. Then wait."


def told(text: str, *rows: tuple[Any, Any, Any], window: bool = False) -> str:
    names = ("retention_ms", "cleanup_policy", "unclean")
    name = "after" if window else "topic"
    cells = {f"{name}.{column}": [row[i] for row in rows] for i, column in enumerate(names)}
    cells[f"{name}.name"] = [f"t{number}" for number, _ in enumerate(rows)]
    return without_what_is_in_force(text, settings_in(cells, {"topic": TOPIC}, range(len(rows))))


@pytest.mark.parametrize("window", [False, True])
def test_what_all_rows_have_is_said_instead(*, window: bool) -> None:
    assert told(SET, (5, "", None), (5, "", None), window=window) == "Raise it: (retention.ms is 5 already). Then wait."


@pytest.mark.parametrize("rows", [[(7, "", None), (6, "", None)], [(None, "", None)], [(50, "", None)], []])
def test_what_no_row_has_or_may_not_have_is_told(rows: list[tuple[Any, Any, Any]]) -> None:
    assert told(SET, *rows) == SET


def test_those_that_have_it_are_named_where_others_have_not() -> None:
    assert told(SET, (5, "", None), (6, "", None)) == SET.replace("=5`", "=5` (t0 has it already)")
    many = [(5, "", None)] * 7 + [(6, "", None)]
    assert told(SET, *many) == SET.replace("=5`", "=5` (t0, t1, t2, t3, t4 and 2 more have it already)")


def test_a_command_that_sets_something_else_too_is_told() -> None:
    both = SET.replace("retention.ms=5", "retention.ms=5,cleanup.policy=compact")
    assert told(both, (5, "delete", None)) == both
    assert told(both, (5, "compact", None)) == (
        "Raise it: (retention.ms is 5, cleanup.policy is compact already). Then wait."
    )
    other = SET.replace("retention.ms=5", "retention.ms=5,segment.ms=5")
    assert told(other, (5, "", None)) == other


def test_a_setting_behind_the_word_set_is_one_that_people_set() -> None:
    assert told("Add some, then set `retention.ms=5` there.", (5, "", None)) == (
        "Add some, then set (retention.ms is 5 already) there."
    )


def test_words_that_set_nothing_and_values_that_people_fill_in_stay() -> None:
    assert told("With `retention.ms=5` it is short.", (5, "", None)) == "With `retention.ms=5` it is short."
    assert told(SET.replace("=5", "=MS"), (5, "", None)) == SET.replace("=5", "=MS")


def test_a_default_is_no_help_to_what_has_the_value_and_a_topics_own_value_says_nothing_of_brokers() -> None:
    default = (
        "`kafka-configs.sh --entity-type brokers --entity-default --add-config unclean.leader.election.enable=true`"
    )
    topics = default.replace("brokers --entity-default", "topics --entity-name TOPIC")
    assert told(default, (5, "", True)) == "(unclean.leader.election.enable is true already)"
    rows = settings_in({"broker.broker": [1], "broker.unclean": [True]}, {"broker": BROKER}, [0])
    assert without_what_is_in_force(default, rows) == "(unclean.leader.election.enable is true already)"
    assert without_what_is_in_force(topics, rows) == topics
