"""What the page on drills says is so."""

import datetime as dt
import re

import msgspec
import pytest

from runbook.canary.link_records import FIGURES
from runbook.model.canary import OF_LINKS, Canary, CanaryHere
from runbook.parse.inventory import Inventory, parse_inventory
from runbook.plugins.request import CANARY, artefacts, requests
from runbook.probes.drill import PROBE
from runbook.procedure.walk_file import walks_home
from runbook.run.sources.runbooks import builtin_names
from support.documented import ROOT, titled

PAGE = "docs/how-to/drill.md"
TEXT = (ROOT / PAGE).read_text("utf-8")
WORDS = " ".join(TEXT.split())


def read(title: str) -> Inventory:
    return parse_inventory(titled(PAGE, title), "environments.yaml", dt.date(2026, 11, 22))


def test_the_inventories_allow_a_canary() -> None:
    for title in ("environments.yaml", "A login for the canary"):
        assert [mirror.canary is not None for mirror in read(title).mirrors] == [True]


def test_the_inventory_of_one_environment_allows_a_canary_there() -> None:
    inventory = read("A canary in one environment")
    assert inventory.targets["prod-eu"].environment.canary is not None
    for name in OF_LINKS:
        assert f"`{name}:`" in TEXT.partition("Measure one environment")[2]


def test_every_setting_of_the_canary_is_told() -> None:
    for field in (*msgspec.structs.fields(Canary), *msgspec.structs.fields(CanaryHere)):
        assert f"{field.encode_name}:" in TEXT or f"`{field.encode_name}`" in TEXT


@pytest.mark.parametrize(("name", "most"), [("rate", 200), ("size", 10_000), ("minutes", 480)])
def test_the_bounds_are_those_that_are_told(name: str, most: int) -> None:
    assert f"{most:,}" in TEXT
    assert msgspec.convert({name: most}, Canary)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: most + 1}, Canary)


def test_the_defaults_are_those_that_are_told() -> None:
    assert f"({Canary().minutes} by default" in WORDS
    assert Canary().topic in TEXT


def test_every_figure_is_explained_and_the_probe_gives_it() -> None:
    assert [name for name in FIGURES if TEXT.count(f"| `{name}` |") != len(("a link", "one environment"))] == []
    assert set(FIGURES) <= {column.name for column in PROBE.columns}


def test_what_it_sends_and_its_rights_are_printed_by_the_commands_it_names() -> None:
    assert f"`runbook requests {CANARY}`" in TEXT
    assert requests([CANARY])
    [name] = re.findall(r"requests --for ([\w-]+)", TEXT)
    granted = artefacts()[name]
    assert set(re.findall(r"--operation (\w+)", granted)) == {"Create", "Write", "Read", "Describe", "Delete"}
    assert "'*'" not in granted


def test_records_are_where_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert str(walks_home()).endswith(re.findall(r"`~/([\w./]+walks)`", TEXT)[0])


def test_the_checks_of_its_gates_are_there() -> None:
    assert "ha" in builtin_names()
    names = set(re.findall(r"ha/([a-z-]+)", TEXT))
    text = (ROOT / "runbooks/ha.md").read_text("utf-8")
    assert [name for name in names if f"id: {name}\n" not in text] == []
