"""Reference pages are what the code declares."""

import json
import re
from collections.abc import Iterable
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from runbook.model.block import BLOCKS, OBJECTIVES, SEVERITIES, Check
from runbook.model.column import ENTITIES, ColumnType
from runbook.model.probe import Proof
from runbook.model.result import Outcome
from runbook.plugins.catalog import catalog
from runbook.publish.observed_facts import load_probe, load_view
from runbook.publish.page import coded, inert
from runbook.publish.reference_pages import reference_pages
from support.documented import ROOT


def _pages() -> dict[str, str]:
    return {page.path: page.text for page in reference_pages()}


def test_every_probe_has_its_columns_requests_and_rights() -> None:
    pages = _pages()
    for name in catalog("probes").names():
        probe = load_probe(name)
        assert probe
        assert f'<a href="probes/{name}.html">' in pages["reference/probes.md"]
        text = pages[f"reference/probes/{name}.md"]
        assert [column.name for column in probe.columns if f"<code>{column.name}</code>" not in text] == []
        assert [request for request in probe.requests if coded(request) not in text] == []


def test_every_view_has_its_columns() -> None:
    pages = _pages()
    for name in catalog("views").names():
        view = load_view(name)
        assert view
        assert f'<a href="views/{name}.html">' in pages["reference/views.md"]
        text = pages[f"reference/views/{name}.md"]
        assert [column.name for column in view.columns if f"<code>{column.name}</code>" not in text] == []


def test_every_field_of_a_block_is_explained_where_it_stands() -> None:
    text = _pages()["reference/blocks.md"]
    for name in Check.__struct_encode_fields__:
        assert f'<th scope="row"><code>{name}</code></th>' in text
    assert "judged row by row" in text


def test_programs_get_the_list_of_all_requests() -> None:
    pages = _pages()
    for request in json.loads(pages["reference/requests.json"]):
        assert f"<code>{inert(request['request'])}</code>" in pages["reference/connections.md"]
        assert request["parts"] or not hasattr(catalog("connections").load(request["connection"]), "described")


def test_editors_get_a_schema_for_every_kind_of_block() -> None:
    pages = _pages()
    for kind in BLOCKS:
        assert json.loads(pages[f"reference/{kind}.schema.json"])["$ref"].endswith(BLOCKS[kind].__name__)


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"consequence": "outage"}, True),
        ({"severity": "low"}, True),
        ({}, False),
        ({"consequence": "outage", "severity": "low"}, False),
        ({"consequence": "something"}, False),
    ],
)
def test_by_the_schema_of_a_check_it_has_a_consequence_or_a_severity(given: dict[str, str], *, right: bool) -> None:
    validator = Draft202012Validator(json.loads(_pages()["reference/check.schema.json"]))
    check = {"id": "seen", "title": "It is seen", "facts": {"broker": {"probe": "kafka_broker"}}, "expect": {}}
    assert validator.is_valid(check | given) == right


def test_what_stands_between_backticks_in_a_declaration_is_code() -> None:
    assert coded("of `{.check}`, a <b>, and ` alone") == "of <code>{.check}</code>, a &lt;b&gt;, and &#96; alone"
    assert [path for path, text in _pages().items() if path.endswith(".md") and "&#96;" in text] == []


@pytest.mark.parametrize(
    ("word", "values"),
    [
        ("connection", catalog("connections").names()),
        ("entity", ENTITIES),
        ("objective", OBJECTIVES),
        ("outcome", [outcome.value for outcome in Outcome]),
        ("proof", get_args(Proof)),
        ("severity", SEVERITIES),
        ("type", get_args(ColumnType)),
    ],
)
def test_the_glossary_lists_the_values_that_the_code_knows(word: str, values: Iterable[str]) -> None:
    page = (ROOT / "docs/reference/glossary.md").read_text(encoding="utf-8")
    [meaning] = re.findall(rf"^\| {word} \| (.*) \|$", page, re.MULTILINE)
    assert re.findall(r"`([\w\[\]]+)`", meaning) == [*values]
