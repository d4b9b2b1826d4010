from pathlib import Path

import pytest

from runbook.evidence.bundle import FORMAT, Bundle, Kept, load_bundle, save_bundle
from runbook.judge.cause import CompiledCause
from runbook.judge.compiled import compile_check
from runbook.model.ask import FactQuestion
from runbook.model.errors import Invalid, UsageError
from runbook.parse.inventory import Environment
from runbook.parse.runbook import LocatedBlock, Runbook
from runbook.run.judgement.case import Tried, case_file, try_cases
from runbook.run.sources.compiled_causes import compile_causes
from support.built_in import all_built_in
from support.cause_blocks import CAUSE, block
from support.small_runbooks import NOW, ROWS, check_text, fact, small_runbook

pytestmark = pytest.mark.usefixtures("fakes")
EACH = ROWS + "expect: {each: row, that: row.size <= params.most}\nparams: {most: {type: int, default: 10}}"
LINK = """
    over: link
    facts: {src: {probe: fake_row, at: source}, dst: {probe: fake_row, at: target}}
    expect: {all: src, that: size(src.name) <= size(dst.name)}
"""
LOOKS = "facts: {row: {probe: fake_row, looks: 1s}}\nexpect: {window: row, that: after.size >= before.size}"
FLEET = "over: fleet\n" + ROWS + "expect: {each: row, that: 'row.environment != \"\"'}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [{"name": "a", "size": 1}, {"name": "b", "size": 2}]
    kept = [Kept(FactQuestion("prod", "fake", "fake_row"), {"": fact("fake_row", rows)})]
    environments = {"prod": Environment(labels={"tier": "prod"}, cluster_id="pinned")}
    save_bundle(tmp_path / "base.json", Bundle(FORMAT, "0", "r", NOW, environments, {"prod": ["fake"]}, [], kept))
    return tmp_path


def tried(folder: Path, cases: str, body: str = EACH, **fields: str) -> list[Tried]:
    book = small_runbook(check_text(body, **fields))
    file = folder / "any.yaml"
    file.write_text(cases)
    return try_cases(book, compile_check(book.checks()[0]), file, "any.yaml")


def wrong(folder: Path, case: str, body: str = EACH, **fields: str) -> str:
    [result_] = tried(folder, f"base: base.json\ncases:\n  - {{name: it, {case}}}", body, **fields)
    return result_.wrong


LARGE = "facts: {row: {change: [{where: {name: b}, set: {size: 11}}]}}"


def tried_cause(folder: Path, cases: str, cause: str = CAUSE) -> list[Tried]:
    book = small_runbook(check_text(EACH) + block("cause", cause))
    file = folder / "too-large.yaml"
    file.write_text(cases)
    [compiled], problems = compile_causes(book)
    assert problems == []
    return try_cases(book, compiled, file, "too-large.yaml")


def wrong_of_cause(folder: Path, case: str, cause: str = CAUSE) -> str:
    [result_] = tried_cause(folder, f"base: base.json\ncases:\n  - {{name: it, {case}}}", cause)
    return result_.wrong


@pytest.mark.parametrize(
    "case",
    [
        "expect: pass",
        "expect: fail, facts: {row: {change: [{where: {name: b}, set: {size: 11}}]}}, rows: [{name: b}], reason: 1 of",
        "expect: unknown, facts: {row: {gaps: [hidden]}}, reason: hidden",
        "expect: not_applicable, facts: {row: {rows: []}}",
        "expect: not_applicable, facts: {row: {inapplicable: no meaning here}}, reason: no meaning here",
        "expect: fail, environment: {params: {small/any: {most: 1}}}",
        "expect: not_applicable, environment: {absent: {fake: bare metal}}",
    ],
)
def test_a_case_that_comes_out_as_expected_is_right(folder: Path, case: str) -> None:
    assert wrong(folder, case) == ""


def test_an_empty_fact_of_the_base_keeps_its_gaps(folder: Path) -> None:
    base = load_bundle(folder / "base.json")
    base.kept = [Kept(base.kept[0].ask, {"": fact("fake_row", gaps=["no rights"])})]
    save_bundle(folder / "base.json", base)
    assert wrong(folder, "expect: unknown, reason: no rights") == ""


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("expect: fail", "is pass: true of 2 topics"),
        ("expect: pass, facts: {row: {gaps: [hidden]}}", "is unknown: hidden"),
        ("expect: unknown, facts: {row: {gaps: [hidden]}}, reason: other", "gives another reason: hidden"),
        (
            "expect: fail, facts: {row: {change: [{set: {size: 11}}]}}, rows: [{name: b}, {name: c}]",
            "rows differ: missing name c; not expected name a",
        ),
        (
            "expect: fail, facts: {row: {change: [{set: {size: 11}}]}}, rows: [{topic: a}, {name: b}]",
            "rows differ: missing topic a; not expected name a; a row is named by its key, which is name here",
        ),
    ],
)
def test_a_case_that_comes_out_otherwise_says_how(folder: Path, case: str, said: str) -> None:
    assert wrong(folder, case) == said


def test_the_labels_of_a_case_decide_whether_the_check_applies(folder: Path) -> None:
    assert wrong(folder, "expect: pass", labels="{tier: [prod]}") == ""
    assert wrong(folder, "expect: not_applicable, environment: {labels: {}}", labels="{tier: [prod]}") == ""


def test_without_a_base_a_case_says_all_of_its_rows(folder: Path) -> None:
    cases = "cases:\n  - {name: one, expect: pass, facts: {row: {rows: [{name: a, size: 1}]}}}\n"
    cases += "  - {name: none, expect: unknown, reason: does not hold}\n"
    assert [tried_case.wrong for tried_case in tried(folder, cases)] == ["", ""]


def test_a_case_of_a_link_has_two_ends(folder: Path) -> None:
    rows = "rows: [{name: a}]"
    fails = f"expect: fail, facts: {{src: {{{rows}}}, dst: {{rows: []}}}}"
    assert wrong(folder, f"expect: pass, facts: {{src: {{{rows}}}, dst: {{{rows}}}}}", LINK) == ""
    assert wrong(folder, fails, LINK) in ("", "is not_applicable: nothing to judge: there is none")
    assert wrong(folder, fails, LINK) == ""


def test_a_case_of_two_looks_gives_both(folder: Path) -> None:
    looks = "row.before: {rows: [{name: a, size: 2}]}, row: {rows: [{name: a, size: 1}]}"
    assert wrong(folder, f"expect: fail, facts: {{{looks}}}", LOOKS) == ""


def test_a_case_of_a_fleet_is_of_one_environment(folder: Path) -> None:
    assert wrong(folder, "expect: pass", FLEET) == ""


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ("cases: [{name: it, expect: pass, facts: {rwo: {}}}]", 'small/any has no fact "rwo"\n    known: row'),
        ("cases: [{name: it, expect: maybe}]", "any.yaml:1:28  cases.0.expect: 'maybe'"),
        ("cases: [{name: it, expect: pass, fact: {}}]", 'unknown field "fact" in cases.0'),
        ("cases: [{name: it, expect: pass, environment: {label: {}}}]", "environment of the case: "),
        ("cases: [{name: it, expect: pass, facts: {row: {add: [{siez: 1}]}}}]", 'no column "siez"'),
        (
            "cases:\n  - {name: it, expect: pass,\n     environment: {params: {small/any: {mots: 1}}}}",
            'any.yaml:3:20  small/any has no parameter "mots"\n    did you mean most?',
        ),
    ],
)
def test_mistakes_of_a_case_file_are_placed(folder: Path, cases: str, said: str) -> None:
    with pytest.raises(Invalid) as caught:
        tried(folder, cases)
    assert said in str(caught.value)


def test_mistakes_of_several_cases_come_at_once(folder: Path) -> None:
    case = "{{name: it, expect: pass, facts: {{row: {{rows: [], add: [{{{}: 1}}]}}}}}}"
    with pytest.raises(Invalid) as caught:
        tried(folder, f"cases:\n  - {case.format('one')}\n  - {case.format('two')}\n")
    assert [problem.place.line for problem in caught.value.problems] == [2, 3]


@pytest.mark.parametrize("content", [b"{}", b"\xff", b'{"format": "runbook-bundle-0"}', b""])
def test_a_base_that_is_no_bundle_is_said_so(folder: Path, content: bytes) -> None:
    (folder / "base.json").write_bytes(content)
    with pytest.raises(UsageError, match=r"base\.json"):
        wrong(folder, "expect: pass")


def test_a_wrong_cluster_is_no_matter_in_a_case(folder: Path) -> None:
    assert wrong(folder, "expect: pass") == ""  # the base pins its cluster


@pytest.mark.parametrize(
    "case",
    [
        f"expect: holds, {LARGE}, rows: [{{name: b}}], reason: b has 11",
        "expect: does_not_hold, rows: []",
        "expect: does_not_hold, facts: {row: {rows: []}}",
        "expect: does_not_hold, facts: {row: {inapplicable: no meaning here}}",
        "expect: unknown, facts: {row: {gaps: [hidden]}}, reason: hidden",
        "expect: unknown, facts: {row: {change: [{where: {name: b}, set: {size: null}}]}}, reason: row.size",
        # A gap leaves nothing open where the cause holds of what was seen.
        "expect: holds, facts: {row: {gaps: [hidden], change: [{where: {name: b}, set: {size: 11}}]}}",
    ],
)
def test_a_case_of_a_cause_that_comes_out_as_expected_is_right(folder: Path, case: str) -> None:
    assert wrong_of_cause(folder, case) == ""


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("expect: holds", "is does_not_hold: "),
        ("expect: unknown", "is does_not_hold: "),
        ("expect: does_not_hold, facts: {row: {gaps: [hidden]}}", "is unknown: hidden"),
        (
            "expect: does_not_hold, facts: {row: {change: [{set: {size: 11}}]}}",
            "is holds: row a has 11 bytes in 1 rows; row b has 11 bytes in 1 rows",
        ),
        (
            "expect: holds, facts: {row: {change: [{set: {size: 11}}]}}, rows: [{name: b}]",
            "rows differ: not expected name a",
        ),
        (
            "expect: holds, facts: {row: {change: [{where: {name: b}, set: {size: 11}}]}}, reason: '12'",
            "gives another reason: row b has 11 bytes in 1 rows",
        ),
    ],
)
def test_a_case_of_a_cause_that_comes_out_otherwise_says_how(folder: Path, case: str, said: str) -> None:
    assert wrong_of_cause(folder, case) == said


def test_a_fact_that_neither_a_case_nor_its_base_holds_makes_no_cause_unknown(folder: Path) -> None:
    [tried_case] = tried_cause(folder, "cases:\n  - {name: none, expect: unknown}\n")
    assert tried_case.wrong == "is not looked for: neither the case nor its base holds all of its facts"


def test_what_the_environment_of_a_case_sets_for_a_check_under_verify_is_in_force_for_the_cause(folder: Path) -> None:
    cause = (
        CAUSE.replace("row.size > 10", "row.size > params.most")
        + "    verify: [any]\n    params: {most: {type: int, default: 10}}"
    )
    set_to = "environment: {params: {small/any: {most: 1}}}, rows: [{name: b}]"
    assert wrong_of_cause(folder, f"expect: holds, {set_to}", cause) == ""
    assert wrong_of_cause(folder, "expect: does_not_hold", cause) == ""


def test_a_fact_that_a_cause_does_not_name_is_a_mistake(folder: Path) -> None:
    with pytest.raises(Invalid) as caught:
        wrong_of_cause(folder, "expect: holds, facts: {rwo: {}}")
    assert 'small/too-large has no fact "rwo"' in str(caught.value)


BUILT_IN = [pytest.param(book, placed, id=placed.name) for book in all_built_in() for placed in book.checks()]


@pytest.mark.parametrize(("book", "placed"), BUILT_IN)
def test_the_cases_of_a_built_in_check_come_out_as_expected_and_one_shows_it_to_fail(
    book: Runbook, placed: LocatedBlock
) -> None:
    compiled = compile_check(placed)
    cases = case_file(Path(book.path), compiled.check)
    found = try_cases(book, compiled, cases, str(cases))
    assert [(tried.case, tried.wrong) for tried in found if tried.wrong] == []
    assert {"pass", "fail"} <= {tried.expect for tried in found}


CAUSES = [
    pytest.param(book, cause, id=cause.placed.name) for book in all_built_in() for cause in compile_causes(book)[0]
]


@pytest.mark.parametrize(("book", "cause"), CAUSES)
def test_the_cases_of_a_built_in_cause_show_it_to_hold_not_to_hold_and_not_to_be_known(
    book: Runbook, cause: CompiledCause
) -> None:
    cases = case_file(Path(book.path), cause.cause)
    found = try_cases(book, cause, cases, str(cases))
    assert [(tried.case, tried.wrong) for tried in found if tried.wrong] == []
    assert {tried.expect for tried in found} == {"holds", "does_not_hold", "unknown"}
