"""What says the same is one change, and the first tells most."""

from runbook.changes.difference import CellChange, RowChange
from runbook.changes.grouped_changes import telling
from runbook.model.column import Column

TOPIC = Column("name", "string", "Name.", key=True, entity="topic")
TOPIC_OF = Column("topic", "string", "Topic.", key=True, entity="topic")
NUMBER = Column("partition", "int", "Number.", key=True, entity="partition")
BROKER = Column("broker", "int", "Node id.", key=True, entity="broker")
COLUMNS = {
    "broker": (BROKER, Column("answers", "bool", "Whether."), Column("leaders", "int", "So many.", unit="partitions")),
    "partition": (TOPIC_OF, NUMBER, Column("isr", "list[int]", "In sync.", entity="broker")),
    "quota": (Column("who", "string", "Whose.", key=True), Column("value", "float", "How much.")),
    "topic": (TOPIC, Column("copies", "int", "So many.", unit="replicas")),
    "process": (Column("host", "string", "Host.", key=True, entity="host"), Column("pid", "int", "Id.", key=True)),
}


def changed(keys: dict[str, object], *cells: CellChange) -> RowChange:
    """A row that changed."""
    return RowChange("changed", dict(keys), cells)


DOWN = CellChange("answers", before=True, after=False)
LOST = CellChange("isr", removed=(2,))


def test_what_changed_alike_is_one_change() -> None:
    rows = [changed({"topic": "a", "partition": i}, LOST) for i in range(3)]
    other = changed({"topic": "a", "partition": 3}, CellChange("isr", removed=(1,)))
    found = telling({"partition": [*rows, other]}, COLUMNS)
    assert [(len(change.subjects), change.cells, change.entity) for change in found] == [
        (3, (LOST,), "partition"),
        (1, other.cells, "partition"),
    ]


def test_what_explains_more_comes_first_and_numbers_come_last() -> None:
    found = telling(
        {
            "partition": [changed({"topic": "a", "partition": 0}, LOST)],
            "quota": [RowChange("went", {"who": "alice"})],
            "topic": [RowChange("came", {"name": "b"}), RowChange("went", {"name": "c"})],
            "broker": [
                changed({"broker": 1}, CellChange("leaders", before=3, after=5)),
                changed({"broker": 2}, CellChange("leaders", before=3, after=0), DOWN),
            ],
        },
        COLUMNS,
    )
    assert [(change.probe, change.kind, *change.subjects[0].values()) for change in found] == [
        ("broker", "changed", 2),
        ("quota", "went", "alice"),
        ("topic", "went", "c"),
        ("topic", "came", "b"),
        ("partition", "changed", "a", 0),
        ("broker", "changed", 1),
    ]


def test_what_came_or_went_with_its_topic_is_counted_there() -> None:
    came = [RowChange("came", {"topic": name, "partition": i}) for name in ("a", "b") for i in range(2)]
    gone = RowChange("went", {"topic": "a", "partition": 7})
    found = telling({"partition": [*came, gone], "topic": [RowChange("came", {"name": "a"})]}, COLUMNS)
    assert [(change.probe, change.kind, len(change.subjects), change.within) for change in found] == [
        ("topic", "came", 1, {"partition": 2}),
        ("partition", "went", 1, {}),  # another's: its topic came
        ("partition", "came", 2, {}),  # of b, which was there before
    ]


def test_a_start_is_told_once_and_nothing_else_is_lost_with_it() -> None:
    pid = Column("pid", "int", "Id.", key=True, renewed=True)
    host = COLUMNS["process"][0]
    user = Column("user", "string", "Whose.")
    columns = {"file": (host, pid, user), "process": (host, pid, user)}
    again = CellChange("pid", before=1, after=9)
    other = CellChange("user", before="a", after="b")
    row = {"host": "h", "pid": 9}
    found = telling({"file": [changed(row, again)], "process": [changed(row, again, other)]}, columns)
    assert [(change.probe, change.cells) for change in found] == [("file", (again,)), ("process", (other,))]
    assert len(telling({"file": [changed(row, again)], "process": [changed(row, again)]}, columns)) == 1
