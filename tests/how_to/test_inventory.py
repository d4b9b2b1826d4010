"""What the page on inventories shows is read as it says."""

import datetime as dt
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from runbook.model.errors import CannotLook, Invalid
from runbook.model.link import Mirror, Promise
from runbook.model.objective import DEFAULT
from runbook.model.probe import Deadline
from runbook.parse.allowed import COMMANDS_ALLOWED
from runbook.parse.inventory import Environment, Inventory, Waiver, parse_inventory
from runbook.parse.runbook import read_runbook
from runbook.plugins.catalog import catalog
from runbook.plugins.guard import attempt
from runbook.run.sources.built_in import builtin_names
from runbook.run.sources.runbooks import locate
from runbook.run.sources.secret_references import PATIENCE, resolve
from runbook.safety.secret import KINDS, plain_secrets
from support.documented import ROOT, fences, titled

PAGE = "docs/how-to/inventory.md"
TODAY = dt.date(2026, 11, 21)
SAMPLES = [fence.title for fence in fences(PAGE) if fence.language == "yaml" and "istake" not in fence.title]


def read(title: str) -> Inventory:
    return parse_inventory(titled(PAGE, title), "environments.yaml", TODAY)


@pytest.mark.parametrize("title", SAMPLES)
def test_a_sample_is_read_and_holds_no_secret(title: str) -> None:
    targets = read(title).targets
    assert targets
    for target in targets.values():
        for settings in target.connections.values():
            assert plain_secrets(settings) == []


def refusal(kind: str, settings: dict[str, Any]) -> str:
    """Why a connection does not take these settings; "" if it does."""
    made = attempt(lambda: catalog("connections").load(kind).connect(settings, Deadline(1)))
    if isinstance(made, CannotLook):
        return str(made)
    made.close()
    return ""


@pytest.mark.parametrize("title", SAMPLES)
def test_connections_take_the_settings_of_a_sample(title: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("told")
    (tmp_path / "secret").chmod(0o600)
    text = re.sub(r"\{(env|file): [^}]*\}", f"{{file: {tmp_path / 'secret'}}}", titled(PAGE, title))
    for target in parse_inventory(text, "environments.yaml", TODAY).targets.values():
        for kind, given in target.connections.items():
            settings, _ = resolve(given)
            named = [*re.findall(r"/[\w./-]+", str(given)), "ssl.ca.location", "ssl.certificate.location"]
            said = refusal(kind, settings)
            assert not said or any(file in said for file in named)  # a file that the sample names is not here


def test_every_kind_of_reference_is_explained() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    assert [kind for kind in KINDS if f"`{{{kind}: " not in text] == []
    assert f"{COMMANDS_ALLOWED}=1" in text
    assert f"{PATIENCE:g} seconds" in text


@pytest.mark.parametrize("record", [Environment, Waiver, Mirror, Promise])
def test_every_field_stands_in_a_sample(record: type[msgspec.Struct]) -> None:
    samples = "".join(titled(PAGE, title) for title in SAMPLES)
    for field in msgspec.structs.fields(record):
        assert f"{field.encode_name}:" in samples


def test_the_samples_name_checks_and_parameters_that_exist() -> None:
    known = {
        placed.name: set(placed.block.params)
        for name in builtin_names()
        for runbook in [read_runbook(locate(name)[0])]
        for placed in runbook.checks()
    }
    for title in SAMPLES:
        for mirror in read(title).mirrors:
            assert mirror.params.keys() == {"dr/*"}
        for target in read(title).targets.values():
            environment = target.environment
            for check, values in environment.params.items():
                assert set(values) <= known[check]
            assert {waiver.check for waiver in environment.waivers} <= known.keys()


def test_the_ranking_of_an_environment_that_ranks_nothing_is_the_one_told() -> None:
    assert f"`[{', '.join(DEFAULT)}]`" in (ROOT / PAGE).read_text("utf-8")


def test_mistakes_are_told_as_the_page_shows() -> None:
    with pytest.raises(Invalid) as caught:
        read("Three mistakes")
    assert str(caught.value).strip() == titled(PAGE, "What is said about them").strip()
