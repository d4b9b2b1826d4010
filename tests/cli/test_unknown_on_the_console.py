"""What commands print of what is not known: never what they print of zero, false, empty or "none".

Every record of the command line with a place that may hold an unknown is gone through by its types; a record that is
added later is missed by name, until it is gone through too.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

import runbook.cli
import runbook.incident
import runbook.show
import runbook.terminal
from runbook.model.fact import Fact
from runbook.plugins.catalog import catalog
from runbook.procedure.walk_record import Measured
from runbook.show import loss_table, probe_rows
from runbook.show.reachability import describe, reached
from runbook.show.walk_page import figures
from runbook.what_if.analysis import NO_QUORUM, PROBES, Analysis, Scenario, analyze
from support.evidence import record
from support.small_runbooks import target
from support.unknowns import Path, lines_mistaken, nullable, places_in, put, records

PRINTED: dict[type[Struct], tuple[str, ...]] = {
    Analysis: (),
    Scenario: ("partitions",),
    Measured: (),
}
"""A record → its fields that no table shows: of a loss's partitions it says how many refuse, are offline, at risk."""

NOT_PRINTED = {
    "CheckDone": "settings of a store",
    "Noted": "what kind of gap all that was asked has in common; runbook env --format json alone shows it",
    "Output": "where a report goes",
    "Watching": "how long it is watched",
}
"""Record of the command line → why nobody reads its unknowns."""


ROOMS = (runbook.cli, runbook.incident, runbook.show, runbook.terminal)


def test_every_record_of_the_command_line_that_may_hold_an_unknown_is_gone_through():
    names = {record.__name__ for room in ROOMS for record in records(room) if nullable(record)}
    here = tuple(room.__name__ for room in ROOMS)
    gone_through = {record_.__name__ for record_ in PRINTED if record_.__module__.startswith(here)}
    assert names == gone_through | NOT_PRINTED.keys()


SCENARIO = Scenario("broker 2", "broker", [2], 9, 4, 2, 3, 4, 5, "survives", ["orders"])
ANALYSIS = Analysis("prod", {"partitions": 9, "racks": 3}, 1, {"orders": 3}, [SCENARIO], ["broker 2 is silent"])
MEASURED = Measured(at="", acknowledged=9, rpo_records=1, rpo_seconds=1, duplicates=1, rto_write=1, rto_read=1)
WAYS: list[tuple[str, Any, Callable[[Any], str]]] = [
    ("what-if", ANALYSIS, lambda found: loss_table.as_text(found, None)),
    ("what-if as JSON", ANALYSIS, lambda found: loss_table.as_json([found])),
    ("drill of a link", MEASURED, lambda found: "\n".join(figures(found, link=True))),
    ("drill in one place", MEASURED, lambda found: "\n".join(figures(found, link=False))),
]
WORDS = {"Scenario.quorum": ("survives", "lost")}
"""Field → words it may have, where any other word is an error."""


@pytest.mark.parametrize(("value", "say"), [way[1:] for way in WAYS], ids=[way[0] for way in WAYS])
def test_what_is_not_known_looks_like_nothing_else(value: Any, say: Callable[[Any], str]):
    wrong: dict[str, Any] = {}
    silent = set()
    for place in places_in(value):
        one, another = (say(put(value, place.path, known)) for known in WORDS.get(place.field, place.known()))
        if one == another:
            silent.add(place.field)
        words = place.field in WORDS
        for like in (NO_QUORUM,) if words else place.look_alikes():
            shown = say(put(value, place.path, like))
            if lines := lines_mistaken(say(put(value, place.path, None)), one, another, shown):
                wrong[f"{place.field} as {like!r}"] = lines[0]
    assert wrong == {}
    assert silent <= {f"{of.__name__}.{name}" for of, names in PRINTED.items() for name in names}


ROWS = {
    "bool": (True, False),
    "int": (3, 0),
    "float": (3.5, 0.0),
    "string": ("told", "", "none", "None", "null"),
    "timestamp": ("2026-11-21T10:00:00Z", ""),
    "list[int]": ([3], [], [0]),
    "list[string]": (["told"], [], [""]),
    "map[string]": ({"a": "told"}, {}, {"a": ""}),
}
"""Type of a column → cells that are known."""


@pytest.mark.parametrize("name", catalog("probes").names())
@pytest.mark.parametrize(
    "as_text", [lambda name, facts: probe_rows.as_text(name, facts, 0), None], ids=["text", "json"]
)
def test_a_cell_of_a_probe_that_is_not_known_is_printed_like_no_other(name: str, as_text: Any):
    columns = catalog("probes").load(name).PROBE.columns

    def printed(changed: str, cell: Any) -> str:
        cells = {column.name: [cell if column.name == changed else ROWS[column.type][0]] for column in columns}
        facts = {"prod": Fact(name, cells)}
        return as_text(name, facts) if as_text else probe_rows.as_json(facts, 0)

    wrong = {
        column.name: cell
        for column in columns
        for cell in ROWS[column.type]
        if printed(column.name, None) == printed(column.name, cell)
    }
    assert wrong == {}


def test_a_connection_of_which_nothing_was_asked_is_not_said_to_work():
    there = target("prod", {"kafka": {"bootstrap.servers": "a:1"}})
    asked = reached(there, {"kafka_broker": Fact("kafka_broker", {"broker": [1]})})
    assert "  works    kafka" in describe(asked)
    assert asked.complete
    for facts in ({}, None):
        assert "works" not in describe(reached(there, facts))


def test_losses_that_harm_in_unlike_unknown_ways_are_no_single_line():
    unsure = [replace(SCENARIO, name=f"broker {n}", nodes=[n], offline=0, at_risk=0, refusing_writes=0) for n in (1, 2)]
    unsure = [replace(unsure[0], offline=None), replace(unsure[1], at_risk=None)]
    assert len(list(loss_table.collapsed(unsure))) == len(unsure)


def test_a_topic_whose_replicas_nobody_told_is_named_without_their_number():
    assert "orders (RF ?)" in loss_table.as_text(replace(ANALYSIS, replicas={}), None)


@pytest.fixture(scope="module")
def facts() -> dict[str, Fact]:
    """What what-if rests on, of a real cluster."""
    bundle = record.read(record.place_of("layouts", "lose-1", "before")).bundle
    return {probe: next(kept.facts[""] for kept in bundle.kept if kept.ask.probe == probe) for probe in PROBES}


def known_places(found: Analysis) -> dict[str, Any]:
    """What is said to be known, by the place that says it; of losses by their names."""
    places = {f"{place.path}": put_in(found, place.path) for place in places_in(replace(found, scenarios=[]))}
    for scenario in found.scenarios:
        places |= {f"{scenario.name} {place.path}": put_in(scenario, place.path) for place in places_in(scenario)}
    return {place: value for place, value in places.items() if value is not None}


def put_in(value: Any, path: Path) -> Any:
    """What a value has in a place."""
    for step in path:
        value = value[step] if isinstance(value, dict) else getattr(value, str(step))
    return value


COLUMNS = [
    (probe, column.name) for probe in PROBES for column in catalog("probes").load(probe).PROBE.columns if not column.key
]


@pytest.mark.kept
@pytest.mark.parametrize(("probe", "column"), COLUMNS)
def test_what_if_without_a_column_of_its_facts_says_nothing_else(probe: str, column: str, facts: dict[str, Fact]):
    """It says less, says that it is not all, or says the same."""
    cells = facts[probe].columns[column]
    fewer = replace(facts[probe], columns=facts[probe].columns | {column: [None] * len(cells)})
    before, now = (analyze("prod", given, [], []) for given in (facts, facts | {probe: fewer}))
    then, here = known_places(before), known_places(now)
    other = {place: value for place, value in here.items() if place not in then or then[place] != value}
    counted = {place: value for place, value in other.items() if place.startswith("(")}
    assert counted == {}
    assert other == {} or now.missing
