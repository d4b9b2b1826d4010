from typing import Any

import msgspec
import pytest

from runbook.model.errors import Problem
from runbook.model.fact import Fact
from runbook.parse.yaml_document import read_yaml
from runbook.plugins.catalog import catalog
from runbook.run.judgement.case_patch import CaseProblems, Patch, has, patched
from support.small_runbooks import fact

pytestmark = pytest.mark.usefixtures("fakes")
BASE = [{"broker": 1, "limit": 10, "rack": "a"}, {"broker": 2, "limit": 20, "rack": "b"}]


def after(patch: str, base: Fact | None = None) -> tuple[Fact, list[Problem]]:
    document = read_yaml(patch, "case.yaml")
    problems: list[Problem] = []
    made = patched(
        base or fact("fake_node", BASE),
        catalog("probes").load("fake_node").PROBE.columns,
        msgspec.convert(document.value or {}, Patch),
        CaseProblems(document, (), problems),
    )
    return made, problems


def rows(patch: str) -> list[dict[str, Any]]:
    made, problems = after(patch)
    assert problems == []
    return list(made.rows())


def test_no_patch_changes_nothing() -> None:
    base = fact("fake_node", BASE, ["a gap"])
    made, _ = after("{}", base)
    assert (made.columns, made.gaps, made.collected_at) == (base.columns, base.gaps, base.collected_at)


def test_cells_are_set_in_the_rows_that_are_meant() -> None:
    assert [row["limit"] for row in rows("change: [{where: {broker: 2}, set: {limit: 5}}]")] == [10, 5]
    assert [row["limit"] for row in rows("change: [{set: {limit: null}}]")] == [None, None]


def test_rows_are_removed_added_and_replaced() -> None:
    assert [row["broker"] for row in rows("remove: [{rack: a}]")] == [2]
    assert rows("add: [{broker: 3}]")[-1] == {"broker": 3, "limit": 10, "rack": "a"}
    assert rows("rows: []") == []
    assert rows("rows: [{broker: 7}]") == [{"broker": 7, "limit": None, "rack": None}]
    assert [row["broker"] for row in rows("remove: [{}]\nadd: [{broker: 9}]")] == [9]


def test_a_patch_can_hide_and_bar() -> None:
    made, _ = after("gaps: [broker 2 is silent]\ninapplicable: no meaning")
    assert ([gap.reason for gap in made.gaps], made.inapplicable) == (["broker 2 is silent"], "no meaning")


def test_the_base_stays_as_it_was() -> None:
    base = fact("fake_node", BASE)
    digest = base.digest()
    after("change: [{set: {limit: 0}}]\nremove: [{broker: 1}]", base)
    assert base.digest() == digest


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("change: [{set: {limt: 1}}]", 'case.yaml:1:17  no column "limt"\n    did you mean limit?'),
        ("change: [{set: {limit: x}}]", "limit: 'x' is not of type int"),
        ("change: [{where: {rack: 1}, set: {limit: 1}}]", "rack: 1 is not of type string"),
        (
            "change: [{where: {broker: 9}, set: {limit: 1}}]",
            "no row of the base has these cells\n    broker of the rows: 1, 2",
        ),
        (
            "change: [{where: {broker: 1, rack: b}, set: {limit: 1}}]",
            "these cells\n    some have one of them, none has all",
        ),
        ("rows: []\nchange: [{where: {broker: 1}, set: {limit: 1}}]", "these cells\n    there are no rows"),
        ("change: [{where: {brokr: 1}, set: {limit: 1}}]", 'case.yaml:1:19  no column "brokr"'),
        ("add: [{brokr: 1}]", 'no column "brokr"'),
        ("remove: [{brokr: 1}]", 'no column "brokr"'),
        ("rows: [{brokr: 1}]", 'no column "brokr"'),
    ],
)
def test_a_patch_that_does_not_fit_is_placed(patch: str, said: str) -> None:
    _, problems = after(patch)
    assert said in str(problems[0])
    assert len(problems) == 1


def test_a_row_has_cells_where_all_of_them_are_equal() -> None:
    assert has({"a": 1, "b": 2}, {"a": 1})
    assert has({"a": 1}, {})
    assert not has({"a": 1}, {"a": 1, "b": 2})
