"""Placeholders of a move between two sites, filled in from what its connectors and topics are called there."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.block import Procedure, Step
from runbook.model.fact import Fact, Gap
from runbook.model.link import Mirror
from runbook.parse.inventory import Environment, Inventory, Target
from runbook.parse.yaml_document import read_yaml
from runbook.procedure import seen_names
from runbook.procedure.events import Event, GateOpened, NamesSeen, StepReached
from runbook.procedure.seen_names import SeenNames, names_seen, naming_what_is_made
from runbook.procedure.walk_record import Begun
from runbook.run.sources.runbooks import find_block
from support.kafka_facts import fact
from support.small_walks import BEGUN

MOVED = replace(BEGUN, source="dublin", target="vienna", environment="vienna")
FLOW = {"kind": "source", "source": "dub", "enabled": True, "file": ""}
COPIES, TRANSLATES = FLOW | {"connector": "copy"}, FLOW | {"connector": "translate", "kind": "checkpoint"}
THE_WAY_BACK = COPIES | {"connector": "back", "source": "vie"}
BACK = Mirror("vienna", "dublin", alias="vie", target_alias="dub", groups=["billing"])
LINK = Mirror("dublin", "vienna", alias="dub", target_alias="vie", groups=["billing"])


def procedure(name: str) -> Procedure:
    placed = find_block(f"dr#{name}").placed
    assert placed is not None
    assert isinstance(placed.block, Procedure)
    return placed.block


COUNTS = {"dub.orders": 6, "orders": 12}
"""Topic → its partitions; any other has 3."""


def topics(*names: str) -> Fact:
    rows = [{"name": name, "internal": name.startswith("__"), "partitions": COUNTS.get(name, 3)} for name in names]
    return fact("kafka_topic", rows)


THERE = topics("dub.orders", "dub.clicks", "dub.heartbeats", "dub.checkpoints.internal", "orders", "__consumer_offsets")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], Fact]:
    """What each end tells; a test replaces what it is about."""
    answers = {
        ("dublin", "mirror_connector"): fact("mirror_connector", []),
        ("vienna", "mirror_connector"): fact("mirror_connector", [COPIES, TRANSLATES]),
        ("dublin", "kafka_topic"): topics("orders", "clicks"),
        ("vienna", "kafka_topic"): THERE,
    }

    def answer(targets: Sequence[Target], probes: Sequence[str], *_: Any, **__: Any) -> Mapping[tuple[str, str], Fact]:
        return {(target.name, probe): answers[target.name, probe] for target in targets for probe in probes}

    monkeypatch.setattr(seen_names, "ask_all", answer)
    return answers


def ends(link: Mirror) -> tuple[Begun, Inventory]:
    targets = {end: Target(end, Environment(), {}) for end in ("dublin", "vienna")}
    begun = MOVED if link.from_ == "dublin" else replace(MOVED, source="vienna", target="dublin", environment="dublin")
    return begun, Inventory("i.yaml", read_yaml("{}", "i.yaml"), targets, [link])


def looked(name: str = "fail-over", link: Mirror = LINK) -> SeenNames:
    return names_seen(procedure(name), *ends(link), 10.0, lambda _: None)


def found(name: str = "fail-over", link: Mirror = LINK) -> dict[str, list[str]]:
    return looked(name, link).names


@pytest.mark.usefixtures("seen")
def test_the_flow_that_leads_there_the_topics_it_mirrors_and_the_groups_that_are_meant() -> None:
    assert found() == {"SOURCE_CONNECTOR": ["copy"], "TOPIC": ["clicks", "orders"], "GROUP": ["billing"]}


def test_a_dark_source_takes_nothing_away(seen: dict[tuple[str, str], Fact]) -> None:
    dark = [Gap("no bootstrap server answers")]
    for probe in ("mirror_connector", "kafka_topic"):
        empty = seen["dublin", probe]
        seen["dublin", probe] = Fact(empty.source, {name: [] for name in empty.columns}, dark)
    assert found()["TOPIC"] == ["clicks", "orders"]
    assert found()["SOURCE_CONNECTOR"] == ["copy"]


@pytest.mark.parametrize(
    "cells", [{"source": "third"}, {"enabled": False}, {"enabled": None}, {"file": "mm2.properties"}, {"source": None}]
)
def test_a_connector_that_is_another_or_none_of_connect_is_not_named(
    seen: dict[tuple[str, str], Fact], cells: dict[str, Any]
) -> None:
    seen["vienna", "mirror_connector"] = fact("mirror_connector", [COPIES | cells])
    assert "SOURCE_CONNECTOR" not in found()


def test_where_not_all_connectors_were_seen_none_is_the_only_one(seen: dict[tuple[str, str], Fact]) -> None:
    seen["vienna", "mirror_connector"].gaps = [Gap("worker mm-2 does not answer")]
    assert "SOURCE_CONNECTOR" not in found()


def test_on_the_way_back_the_flow_there_works_at_the_site_that_is_left(seen: dict[tuple[str, str], Fact]) -> None:
    seen["dublin", "mirror_connector"] = fact("mirror_connector", [THE_WAY_BACK])
    assert found("fail-back", BACK) == {
        "BACK_CONNECTOR": ["back"],
        "SOURCE_CONNECTOR": ["copy"],
        "CHECKPOINT_CONNECTOR": ["translate"],
        "TOPIC": ["clicks", "orders"],
        "GROUP": ["billing"],
    }


@pytest.mark.usefixtures("seen")
def test_where_names_are_kept_topics_are_those_that_the_inventory_names() -> None:
    kept = replace(LINK, policy="identity", topics=["orders", "pay*"], groups=["bill*"])
    assert found(link=kept) == {"SOURCE_CONNECTOR": ["copy"], "TOPIC": ["orders"]}


def test_without_a_link_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen_names, "ask_all", None)
    assert found(link=replace(LINK, to="third")) == {}


@pytest.mark.usefixtures("seen")
def test_how_many_partitions_a_topic_is_to_have_follows_from_the_topic() -> None:
    assert looked().values({"TOPIC": "orders"})["PARTITIONS"] == "6"  # as its mirror has; the source's may be another
    assert looked().values({"TOPIC": "orders", "PARTITIONS": "8"})["PARTITIONS"] == "8"
    assert "PARTITIONS" not in looked().values({"TOPIC": "returns"})
    assert "PARTITIONS" not in looked("fail-back", BACK).choices({})


@pytest.mark.usefixtures("seen")
def test_of_several_topics_the_number_of_each_is_offered_until_one_is_said() -> None:
    assert "PARTITIONS" not in looked().values({})
    assert looked().choices({}) == {"TOPIC": ["clicks", "orders"], "PARTITIONS": ["3 for clicks", "6 for orders"]}
    assert looked().choices({"TOPIC": "orders"}) == {}
    assert looked().choices({"PARTITIONS": "6"}) == {"TOPIC": ["clicks", "orders"]}


def test_the_only_topic_has_its_number_too_also_one_that_is_not_mirrored_yet(
    seen: dict[tuple[str, str], Fact],
) -> None:
    seen["vienna", "kafka_topic"] = topics("dub.heartbeats")
    seen["dublin", "kafka_topic"] = topics("orders", "vie.orders")
    assert looked().values({}) == {
        "SOURCE_CONNECTOR": "copy",
        "TOPIC": "orders",
        "PARTITIONS": "12",
        "GROUP": "billing",
    }


def on_the_way(said: Mapping[str, str], command: str, *, rehearsal: bool = False) -> list[Event]:
    """What is told when a step of the way back with this command is come to, after a gate has opened."""
    begun, inventory = ends(BACK)
    told: list[Event] = []
    tell = naming_what_is_made(
        procedure("fail-back"), replace(begun, rehearsal=rehearsal), inventory, 10.0, told.append, said
    )
    tell(GateOpened("before"))
    tell(StepReached(12, 12, Step(do="Stop it.", command=command)))
    return told


def test_what_a_step_has_made_is_named_before_a_later_one(seen: dict[tuple[str, str], Fact]) -> None:
    seen["dublin", "mirror_connector"] = fact("mirror_connector", [THE_WAY_BACK])
    opened, named, step = on_the_way({}, "curl http://WORKER:8083/connectors/BACK_CONNECTOR/stop")
    assert isinstance(opened, GateOpened)
    assert named == NamesSeen({"BACK_CONNECTOR": "back"}, {})
    assert isinstance(step, StepReached)
    seen["dublin", "mirror_connector"] = fact("mirror_connector", [THE_WAY_BACK, THE_WAY_BACK | {"connector": "again"}])
    [_, named, _] = on_the_way({}, "curl http://WORKER:8083/connectors/BACK_CONNECTOR/stop")
    assert named == NamesSeen({}, {"BACK_CONNECTOR": ["again", "back"]})


@pytest.mark.parametrize(
    ("said", "command", "rehearsal"),
    [({}, "echo TOPIC", False), ({"BACK_CONNECTOR": "b"}, "echo BACK_CONNECTOR", False), ({}, "BACK_CONNECTOR", True)],
    ids=["nothing that is made", "said", "at kept facts"],
)
def test_nothing_is_asked_for_what_needs_no_name(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], command: str, *, rehearsal: bool
) -> None:
    monkeypatch.setattr(seen_names, "ask_all", None)
    assert [type(event) for event in on_the_way(said, command, rehearsal=rehearsal)] == [GateOpened, StepReached]


def test_what_stays_open_as_nobody_told_says_why(seen: dict[tuple[str, str], Fact]) -> None:
    late = [Gap("did not answer in 5 s")]
    for environment, probe in (("vienna", "kafka_topic"), ("dublin", "mirror_connector")):
        empty = seen[environment, probe]
        seen[environment, probe] = Fact(empty.source, {name: [] for name in empty.columns}, late)
    told = looked()
    assert told.names == {"SOURCE_CONNECTOR": ["copy"], "GROUP": ["billing"]}
    assert told.unseen["TOPIC"] == told.unseen["PARTITIONS"] == "not seen at vienna: did not answer in 5 s"
    assert "GROUP" not in told.unseen


@pytest.mark.usefixtures("seen")
def test_where_all_answer_nothing_is_excused() -> None:
    assert looked().unseen == {}
