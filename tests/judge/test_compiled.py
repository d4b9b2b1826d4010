import pytest

from runbook.judge.compiled import compile_check
from runbook.model.errors import Invalid, Problem
from runbook.parse.runbook import read_runbook
from runbook.plugins.content import builtin_runbooks
from support.small_runbooks import ROWS, compiled

pytestmark = pytest.mark.usefixtures("fakes")


def problems(body: str, **fields: str) -> list[Problem]:
    with pytest.raises(Invalid) as caught:
        compiled(body, **fields)
    return list(caught.value.problems)


def only(body: str, **fields: str) -> Problem:
    [problem] = problems(body, **fields)
    return problem


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("that: row.ok", "exactly one of each, all, same and window is needed, none is given in small/any"),
        (
            "each: row, all: row, that: row.ok",
            "exactly one of each, all, same and window is needed, each and all are given",
        ),
        ("each: row", "each needs that:"),
        ("same: row, by: [name]", "same needs by: and value:"),
        ("each: rwo, that: row.ok", 'no fact "rwo"'),
        ("all: row, where: row.ok, that: size(row.name) > 0", "where has no meaning with all"),
        ("all: row, join: {row: topic}, that: size(row.name) > 0", "join has no meaning with all"),
        ("same: row, by: [name], value: [size], that: row.ok", "that has no meaning with same"),
        ("each: row, that: row.ok, by: [name]", "by has no meaning with each"),
        ("each: row, that: row.ok, touches: [nmae]", 'no column "nmae"'),
        ("each: row, that: row.ok, scope: [nmae]", 'no column "nmae"'),
        ("same: row, by: [name], value: [size], scope: [name]", "scope has no meaning with same"),
        ("window: row, that: after.size > before.size", '"row" is looked at once'),
    ],
)
def test_an_expectation_that_would_be_read_and_not_heeded_is_refused(expect: str, message: str) -> None:
    assert message in only(ROWS + f"expect: {{{expect}}}").message


def test_two_looks_need_a_fact_and_keys() -> None:
    facts = "facts: {row: {probe: fake_row}, event: {probe: fake_event, looks: 1s}}\n"
    view = facts + "views: {twice: {view: fake_double, of: {row: row}}}\nexpect: {window: twice, that: after.twice > 0}"
    assert '"twice" is a view' in only(view).message
    assert "has no key columns" in only(facts + "expect: {window: event, that: after.text != ''}").message


def test_a_mistake_in_an_expression_is_placed_in_the_file_however_it_is_written() -> None:
    for expect, place in {
        "that: row.ok && row.siez > 1": (14, 19),
        "that: 'row.ok && row.siez > 1'": (14, 20),
        'that: "row.ok && row.siez > 1"': (14, 20),
        "that: |\n    row.ok &&\n      row.siez > 1": (16, 7),
        "that: >\n    row.ok &&\n    row.siez > 1": (15, 5),
        "that: row.ok &&\n    row.siez > 1": (14, 9),
        'message: "{row.siez}"\n  that: row.ok': (14, 14),
    }.items():
        problem = only(ROWS + f"expect:\n  each: row\n  {expect}")
        assert 'unknown name "row.siez"' in problem.message
        assert (problem.place.file, problem.place.line, problem.place.column) == ("small.md", *place), expect
        assert "did you mean row.size?" in problem.remedy


def test_an_expression_cut_off_in_mid_line_is_placed_too() -> None:
    assert "Syntax error" in only(ROWS + "expect:\n  each: row\n  that: |\n    row.size >\n").message


def test_all_mistakes_of_a_check_come_at_once() -> None:
    found = problems(
        ROWS + "expect: {each: row, where: row.nope, that: row.size == 'x', message: '{row.nix}', touches: [nada]}"
    )
    said = " ".join(problem.message for problem in found)
    assert all(
        word in said for word in ("row.nope", "== can't be put between a whole number and a text", "row.nix", "nada")
    )


@pytest.mark.parametrize(
    ("default", "fault"),
    [
        ("default: x", "'x' is not of type int"),
        ("default: 12", "above the greatest"),
        ("min: 0", "None is not of type int"),
    ],
)
def test_a_parameter_needs_a_default_that_it_allows(default: str, fault: str) -> None:
    body = (
        ROWS
        + f"params: {{most: {{type: int, max: 10, {default}}}}}\nexpect: {{each: row, that: row.size <= params.most}}"
    )
    assert fault in only(body).message


def test_applies_is_about_a_fact_of_the_check() -> None:
    expect = "expect: {each: row, that: row.ok}\n"
    assert 'no fact "rwo"' in only(ROWS + expect + "applies: {each: rwo, that: row.ok, otherwise: nothing}").message
    assert "row.kk" in only(ROWS + expect + "applies: {each: row, that: row.kk, otherwise: nothing}").message


def test_the_built_in_checks_compile() -> None:
    for file in builtin_runbooks().glob("*.md"):
        for placed in read_runbook(file).checks():
            assert compile_check(placed).check.id == placed.block.id
