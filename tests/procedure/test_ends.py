"""A walk between two environments is told which, and what the inventory lacks for it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.model.block import GateCheck, Step
from runbook.model.errors import UsageError
from runbook.parse.inventory import Inventory
from runbook.procedure.ends import ends_of, needs_two
from runbook.run.sources.inventories import load_inventory
from support.small_walks import PROCEDURE

THERE = "{from: dublin, to: vienna, alias: primary, target_alias: standby, topics: [orders, pay*], groups: [billing]}"


def inventory(folder: Path, *mirrors: str) -> Inventory:
    file = folder / "environments.yaml"
    declared = "".join(f"  - {mirror}\n" for mirror in mirrors)
    names = "".join(f"  {name}: {{}}\n" for name in ("dublin", "vienna", "lima"))
    file.write_text((f"mirrors:\n{declared}" if mirrors else "") + f"environments:\n{names}", "utf-8")
    return load_inventory(file)


@pytest.mark.parametrize(
    ("change", "two"),
    [
        ({}, False),
        ({"before": [GateCheck("well", "source")]}, True),
        ({"steps": [Step(do="Stop it.", command="curl -X PUT http://SOURCE_WORKER:8083/connectors")]}, True),
        ({"steps": [Step(do="Make it.", command="kafka-topics.sh --bootstrap-server TARGET:PORT --list")]}, True),
        ({"steps": [Step(do="Make it.", command="kafka-topics.sh --bootstrap-server HOST:PORT --list")]}, False),
    ],
)
def test_a_procedure_needs_two_environments_if_a_gate_or_a_command_names_one(change: dict, *, two: bool):
    assert needs_two(replace(PROCEDURE, **change)) is two


@pytest.mark.parametrize(
    ("named", "ways"),
    [
        ([], "--env dublin --to vienna, or --env dublin --to lima"),
        (["vienna"], "--env dublin --to vienna"),
        (["lima"], "--env dublin --to lima"),
    ],
)
def test_who_names_one_of_two_is_told_the_ends_of_declared_mirrors(tmp_path: Path, named: list[str], ways: str):
    declared = inventory(tmp_path, THERE, "{from: dublin, to: lima}")
    with pytest.raises(UsageError) as told:
        ends_of(declared, named, "", "dr#fail-over")
    assert str(told.value).splitlines() == [
        "dr#fail-over leads from one environment to another that takes over: name both, --env SOURCE --to TARGET",
        f"    mirrors of {declared.file}: {ways}",
    ]


def test_where_no_mirror_is_declared_none_is_offered(tmp_path: Path):
    with pytest.raises(UsageError) as told:
        ends_of(inventory(tmp_path), [], "", "dr#fail-over")
    assert str(told.value).endswith("--env SOURCE --to TARGET")


def test_a_mirror_that_lacks_is_told_as_the_one_there_turned_round(tmp_path: Path):
    line = (
        "- {from: vienna, to: dublin, alias: standby, target_alias: primary, topics: [orders, pay*], groups: [billing]}"
    )
    with pytest.raises(UsageError) as told:
        ends_of(inventory(tmp_path, THERE), ["vienna"], "dublin", "dr#fail-back")
    assert str(told.value).endswith(f"names no mirror from vienna to dublin; add under mirrors: {line}")
    added = inventory(tmp_path, THERE, line.removeprefix("- "))
    ends = ends_of(added, ["vienna"], "dublin", "dr#fail-back")
    assert (ends.source, ends.environment) == ("vienna", "dublin")


def test_what_the_one_there_does_not_say_is_not_said_of_the_way_back(tmp_path: Path):
    with pytest.raises(UsageError, match=r"\{from: vienna, to: dublin, policy: identity\}"):
        ends_of(inventory(tmp_path, "{from: dublin, to: vienna, policy: identity}"), ["vienna"], "dublin")


def test_where_nothing_leads_either_way_the_ends_alone_are_told(tmp_path: Path):
    with pytest.raises(UsageError, match=r"- \{from: vienna, to: lima\}$"):
        ends_of(inventory(tmp_path, THERE), ["vienna"], "lima")
