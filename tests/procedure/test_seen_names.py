"""Placeholders of a move between two sites, filled in from what its connectors and topics are called there."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.model.block import Procedure
from runbook.model.fact import Fact, Gap
from runbook.model.link import Mirror
from runbook.parse.inventory import Environment, Inventory, Target
from runbook.parse.yaml_document import read_yaml
from runbook.procedure import seen_names
from runbook.procedure.seen_names import names_seen
from runbook.run.sources import find_block
from support.kafka_facts import fact
from support.small_walks import BEGUN

MOVED = replace(BEGUN, source="dublin", target="vienna", environment="vienna")
FLOW = {"kind": "source", "source": "dub", "enabled": True, "file": ""}
COPIES, TRANSLATES = FLOW | {"connector": "copy"}, FLOW | {"connector": "translate", "kind": "checkpoint"}
LINK = Mirror("dublin", "vienna", alias="dub", target_alias="vie", groups=["billing"])


def procedure(name: str) -> Procedure:
    placed = find_block(f"dr#{name}").placed
    assert placed is not None
    assert isinstance(placed.block, Procedure)
    return placed.block


def topics(*names: str) -> Fact:
    return fact("kafka_topic", [{"name": name, "internal": name.startswith("__")} for name in names])


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


def found(name: str = "fail-over", link: Mirror = LINK) -> dict[str, list[str]]:
    targets = {end: Target(end, Environment(), {}) for end in ("dublin", "vienna")}
    begun = MOVED if link.from_ == "dublin" else replace(MOVED, source="vienna", target="dublin", environment="dublin")
    inventory = Inventory("i.yaml", read_yaml("{}", "i.yaml"), targets, [link])
    return names_seen(procedure(name), begun, inventory, 10.0, lambda _: None)


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
    back = Mirror("vienna", "dublin", alias="vie", target_alias="dub", groups=["billing"])
    seen["dublin", "mirror_connector"] = fact("mirror_connector", [COPIES | {"connector": "back", "source": "vie"}])
    assert found("fail-back", back) == {
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
