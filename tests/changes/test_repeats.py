"""What several probes tell of one thing is told once."""

from runbook.changes.difference import CellChange, RowChange
from runbook.changes.grouped_changes import telling
from runbook.model.column import Column

GROUP = Column("group", "string", "Group id.", key=True, entity="group")
TOPIC = Column("topic", "string", "Topic.", key=True, entity="topic")
NAME = Column("name", "string", "Name.", key=True, entity="topic")
NUMBER = Column("partition", "int", "Number.", key=True, entity="partition")
BROKER = Column("broker", "int", "Node id.", key=True, entity="broker")
LOGGER = Column("logger", "string", "Name.", key=True)
STATE = Column("state", "string", "State.")
COLUMNS = {
    "consumer_group": (GROUP, Column("coordinator", "int", "Broker.", entity="broker"), STATE),
    "group": (GROUP, Column("coordinator", "int", "Broker.", entity="broker"), STATE),
    "group_lag": (GROUP, TOPIC, NUMBER, STATE),
    "offset": (TOPIC, NUMBER, Column("leader", "int", "Broker.", entity="broker")),
    "partition": (TOPIC, NUMBER, Column("leader", "int", "Broker.", entity="broker"), STATE),
    "topic": (NAME, STATE),
    "logger": (BROKER, LOGGER, Column("level", "string", "Level.")),
    "log_config": (BROKER, LOGGER, Column("level", "string", "Level.")),
}
MOVED = CellChange("coordinator", before=2, after=1)
EMPTY = CellChange("state", before="stable", after="empty")
LED = CellChange("leader", before=2, after=1)


def changed(keys: dict[str, object], *cells: CellChange) -> RowChange:
    return RowChange("changed", keys, cells)


def told(found: dict[str, list[RowChange]]) -> list[tuple[object, ...]]:
    return [(one.probe, one.kind, len(one.subjects), one.cells, one.within) for one in telling(found, COLUMNS)]


def test_a_cell_that_two_probes_tell_of_one_entity_is_told_by_the_first_alone() -> None:
    found = {
        "consumer_group": [changed({"group": "a"}, MOVED)],
        "group": [changed({"group": "a"}, MOVED, EMPTY), changed({"group": "b"}, MOVED)],
        "offset": [changed({"topic": "a", "partition": 0}, LED)],
        "partition": [changed({"topic": "a", "partition": 0}, LED)],
    }
    assert told(found) == [
        ("consumer_group", "changed", 1, (MOVED,), {}),
        ("group", "changed", 1, (EMPTY,), {}),  # of a: what the other does not tell
        ("group", "changed", 1, (MOVED,), {}),  # of b
        ("offset", "changed", 1, (LED,), {}),
    ]


def test_other_values_are_another_change() -> None:
    other = CellChange("coordinator", before=2, after=3)  # the two were not asked at the same moment
    found = {"consumer_group": [changed({"group": "a"}, MOVED)], "group": [changed({"group": "a"}, other)]}
    assert [cells for _, _, _, cells, _ in told(found)] == [(MOVED,), (other,)]


def test_what_each_part_repeats_of_the_whole_is_told_of_the_whole() -> None:
    lag = [changed({"group": "a", "topic": "t", "partition": number}, EMPTY) for number in range(3)]
    lag.append(changed({"group": "b", "topic": "t", "partition": 0}, EMPTY))
    parts = [changed({"topic": "t", "partition": 0}, EMPTY)]
    whole = {"group": [changed({"group": "a"}, EMPTY)], "topic": [changed({"name": "t"}, EMPTY)]}
    assert told({"group_lag": lag[:3], **whole}) == [
        ("topic", "changed", 1, (EMPTY,), {}),
        ("group", "changed", 1, (EMPTY,), {}),
    ]
    assert ("group_lag", "changed", 1, (EMPTY,), {}) in told({"group_lag": lag, "group": whole["group"]})  # of b
    assert told({"partition": parts, "topic": whole["topic"]}) == [("topic", "changed", 1, (EMPTY,), {})]


def test_a_row_that_two_probes_have_came_once() -> None:
    new = [RowChange("came", {"topic": "t", "partition": number}) for number in (3, 4)]
    gone = RowChange("went", {"topic": "t", "partition": 3})
    found = {"offset": [*new, gone], "partition": new}
    assert told(found) == [("offset", "went", 1, (), {}), ("offset", "came", 2, (), {"partition": 2})]


def test_what_no_entity_names_may_be_of_two_things() -> None:
    level = CellChange("level", before="INFO", after="DEBUG")
    row = changed({"broker": 1, "logger": "kafka"}, level)
    assert len(told({"log_config": [row], "logger": [row]})) == 2
