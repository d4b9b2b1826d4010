"""A site without names: what is planted in results and scorecard is on none of its pages."""

import stat
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from publish.conftest import NOW
from publish.planted_names import PLANTED, fill, planted
from runbook.parse.runbook import Runbook
from runbook.publish.pseudonyms import Pseudonyms, key_of
from runbook.publish.site import SiteRunbooks, make_site

KEY = b"k" * 32


@pytest.fixture
def data(tmp_path: Path, book: Runbook) -> Path:
    """Results, a scorecard and a kept week with planted names."""
    fill(tmp_path / "data", book)
    return tmp_path / "data"


def pages(data: Path, book: Runbook, key: bytes | None) -> dict[str, str]:
    """Every page and file of the site."""
    runbooks = SiteRunbooks(Path(book.path).parent, [Path(book.path)])
    site = make_site(runbooks, data, timedelta(days=8), NOW, key)
    return {page.path: page.text for page in site.pages}


def test_no_planted_name_is_on_a_site_without_names(data: Path, book: Runbook) -> None:
    shown = pages(data, book, None)
    assert sum(PLANTED in text for text in shown.values()) > 5, "the names would be seen"
    hidden = pages(data, book, KEY)
    assert [path for path, text in hidden.items() if PLANTED in text] == []
    assert set(hidden) == set(shown) - {path for path in shown if "2026-W40" in path}


def test_what_names_nothing_stays_and_a_name_is_the_same_on_every_page(data: Path, book: Runbook) -> None:
    hidden = pages(data, book, KEY)
    evidence = hidden["evidence/prod/hostile.md"]
    name = Pseudonyms(KEY, {}).pseudonym("topic", planted("topic"))
    assert f"topic {name}" in evidence
    assert name in hidden["scorecard/scorecard.json"]
    assert "broker 2" in evidence
    assert "setting acks" in evidence
    assert "2 of 3 rows offend" in evidence
    assert "results verify" not in evidence
    assert '"partition":"0"' in hidden["scorecard/scorecard.json"]
    assert f"Waiver by {Pseudonyms(KEY, {}).pseudonym('person', planted('person'))} until" in evidence


def test_a_pseudonym_depends_on_the_key() -> None:
    ours, other = Pseudonyms(KEY, {}), Pseudonyms(b"o" * 32, {})
    assert ours.pseudonym("topic", "orders") == Pseudonyms(KEY, {}).pseudonym("topic", "orders")
    assert ours.pseudonym("topic", "orders") != other.pseudonym("topic", "orders")
    assert ours.pseudonym("topic", "orders") != ours.pseudonym("topic", "orders-dlq")


@pytest.mark.parametrize(
    ("label", "value", "is_kept"),
    [
        ("broker", 2, True),
        ("broker", "2", True),
        ("setting", "min.insync.replicas", True),
        ("topic", "orders", False),
        ("topic", "42", False),
        ("client", "42", False),
        ("group", "42", False),
        ("nobody_declared_it", "42", False),
        ("topic", "", True),
        ("replicas", {"host": "a"}, False),
    ],
)
def test_a_cell_stays_only_if_its_column_names_nothing(label: str, value: object, *, is_kept: bool) -> None:
    assert (Pseudonyms(KEY, {}).cell(label, value) == value) is is_kept


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "redaction.key"
    key = key_of(file)
    assert len(key) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert key_of(file) == key
    file.write_bytes(b"short")
    with pytest.raises(ValueError, match="holds 5 bytes, and a key has 16 at least"):
        key_of(file)


def test_a_card_without_names_is_a_card_still(data: Path, book: Runbook) -> None:
    whole = msgspec.json.decode(pages(data, book, KEY)["scorecard/scorecard.json"])
    assert whole["tables"]["failing"]


def test_the_command_of_a_receipt_has_the_place_of_its_store(data: Path, book: Runbook) -> None:
    receipts = [text for text in pages(data, book, None).values() if "--receipt" in text]
    assert receipts
    assert not [text for text in receipts if "runbook results verify STORE --receipt" not in text]
