"""The reference of the scorecard's files: it describes the columns that there are, and no others."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from runbook.plugins.catalog import catalog
from runbook.scorecard.tables import tables_of
from runbook.scorecard.weekly import Weekly

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "scorecard-files.md"
TABLES = sorted({catalog("scorecard.metrics").load(name).TABLE for name in catalog("scorecard.metrics").names()})


def _sections() -> dict[str, str]:
    _, *sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {section.partition("\n")[0].strip(): section for section in sections}


@pytest.fixture(scope="module")
def produced() -> dict[str, list[str]]:
    """Table -> its columns; filled by the first test that asks, as a session is of a module and rows of a test."""
    return {}


@pytest.mark.parametrize("table", TABLES)
def test_the_described_columns_are_those_produced(
    table: str, weekly: Callable[..., Weekly], produced: dict[str, list[str]]
) -> None:
    if not produced:
        produced |= {name: table.rows.columns for name, table in tables_of(weekly({}), lambda _: None).items()}
    described = [
        name
        for line in _sections()[table].splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    ]
    assert sorted(described) == sorted(produced[table])


@pytest.mark.parametrize("table", TABLES)
def test_the_columns_that_identify_a_row_are_named(table: str) -> None:
    metrics = catalog("scorecard.metrics")
    (keys,) = {metrics.load(name).KEYS for name in metrics.names() if table == metrics.load(name).TABLE}
    said = " ".join(_sections()[table].split()).partition("Identified by ")[2]
    assert re.split(r"[.;]", said)[0].replace("`", "") == ", ".join(keys)


def test_every_other_section_is_about_a_file_that_is_no_table() -> None:
    assert set(_sections()) - set(TABLES) == {"scorecard.json", "weeks/WEEK.json", "quarantine.jsonl"}
