"""Behind one mistake all else is looked at, and what only follows from it is not told."""

from pathlib import Path

import pytest

from runbook.lint.linting import lint_all
from support.cause_blocks import CAUSE, EFFECT, block
from support.small_runbooks import FRONT, ROWS, check_text

pytestmark = pytest.mark.usefixtures("fakes")


def problems(folder: Path, *blocks: str) -> list[str]:
    """What is wrong with these blocks, beside that checks have no cases."""
    file = folder / "small.md"
    file.write_text(FRONT + "\n".join(blocks), "utf-8")
    found, _ = lint_all([str(file)], [], "")
    return sorted(problem.message for problem in found if "it has no cases" not in problem.message)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("fake_row", "fake_rwo", ['no probe "fake_rwo" in small/too-large']),
        ("row.size > 10", "row.sise > 10", ['unknown name "row.sise" in the holds.that of small/too-large']),
        ("each: row", "each: rwo", ['no fact "rwo" in small/too-large']),
    ],
)
def test_sentences_and_recoveries_of_a_cause_are_read_behind_its_condition(
    tmp_path: Path, old: str, new: str, said: list[str]
) -> None:
    wrong = (
        CAUSE.replace(old, new).replace("shrink {row.name}", "shrink {rov.name}").replace("    title:", "    titel:")
    )
    followed = 'unknown name "rov.name" in the first of small/too-large'
    form = ['cause lacks "title"', 'unknown field "titel" in cause']
    assert problems(tmp_path, block("cause", wrong)) == sorted([*form, *said, followed])


def test_sentences_of_an_effect_are_read_behind_a_mistake_of_form(tmp_path: Path) -> None:
    wrong = EFFECT.replace("{row.name}", "{row.nme}").replace("    title:", "    titel:")
    [form, lacks, name] = problems(tmp_path, block("effect", wrong))
    assert (form, lacks) == ('effect lacks "title"', 'unknown field "titel" in effect')
    assert name.startswith('unknown name "row.nme"')


def test_an_effect_of_a_fact_that_is_a_mistake_says_no_more_of_it(tmp_path: Path) -> None:
    [problem] = problems(tmp_path, block("effect", EFFECT.replace("fake_row", "fake_rwo")))
    assert problem.startswith('no probe "fake_rwo"')


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            (
                "facts: {row: {probe: fake_rwo, looks: 5s}}\n"
                "expect: {window: row, that: after.size > before.size, touches: [x]}"
            ),
            ['no probe "fake_rwo" in small/any'],
        ),
        (
            (
                "facts: {row: {probe: fake_rwo}}\nviews: {twice: {view: fake_double, of: {row: row}}}\n"
                "expect: {each: twice, that: twice.nme == row.name}"
            ),
            ['no probe "fake_rwo" in small/any', 'unknown name "twice.nme" in the expect.that of small/any'],
        ),
        (
            (
                "facts: {row: {probe: fake_row}}\nviews: {twice: {view: fake_duoble, of: {row: row}}}\n"
                "expect: {each: twice, that: twice.nme == '', join: {row: topic}}"
            ),
            ['no view "fake_duoble" in small/any'],
        ),
        (
            ROWS + "params: {most: {typ: int, default: 3}, least: 3}\n"
            "expect: {each: row, that: row.size < params.most && row.siez > params.least}",
            [
                "params.least: 3 should be a mapping, as in {type: int}",
                'params.most lacks "type"',
                'unknown field "typ" in params.most',
                'unknown name "row.siez" in the expect.that of small/any',
            ],
        ),
        (
            ROWS + "params: {most: {type: integer, default: 3}}\nexpect: {each: row, that: row.size < params.most * 3}",
            ["params.most.type: 'integer'"],
        ),
        (
            ROWS + "expect: {each: row}\nexpect: {all: row, that: row.siez}",
            ['duplicate key "expect"', "each needs that: in small/any"],
        ),
        (
            ROWS + "expect: {}\napplies: {each: rwo, that: row.ok, otherwise: not so}",
            ["exactly one of each, all, same and window is needed, none is given in small/any"],
        ),
        (
            ROWS + "expect: {each: row, where: 7, that: row.siez > 0}",
            [
                'unknown name "row.siez" in the expect.that of small/any',
                'expect.where: 7 should be a text: put it in quotes, as in "1.0"',
            ],
        ),
        (
            ROWS + "expect: [1]",
            ["expect: [1] should be a mapping, as in {name: value}"],
        ),
        (
            "facts: {row: 3}\nexpect: {each: row, that: row.ok, touches: [nada]}",
            ["facts.row: 3 should be a mapping, as in {probe: …}"],
        ),
    ],
)
def test_each_mistake_of_a_check_is_told_and_nothing_that_follows(tmp_path: Path, body: str, said: list[str]) -> None:
    assert problems(tmp_path, check_text(body)) == sorted(said)


def test_a_head_with_mistakes_hides_no_block(tmp_path: Path) -> None:
    file = tmp_path / "small.md"
    file.write_text(FRONT.replace("title:", "titel:") + check_text(ROWS + "expect: {each: row, that: row.siez > 0}"))
    found, seen = lint_all([str(file)], [], "")
    said = " ".join(problem.message for problem in found)
    assert 'front matter lacks "title"' in said
    assert 'unknown name "row.siez"' in said
    assert seen.checks == 1


def test_a_fact_whose_probe_there_is_not_is_still_one_that_may_be_meant(tmp_path: Path) -> None:
    body = "facts: {row: {probe: fake_rwo}}\nexpect: {each: rwo, that: rwo.size > 1}"
    (tmp_path / "small.md").write_text(FRONT + check_text(body, "a"), "utf-8")
    found, _ = lint_all([str(tmp_path / "small.md")], [], "")
    [told] = [problem for problem in found if problem.message.startswith("no fact")]
    assert (told.message, told.remedy) == ('no fact "rwo" in small/a', "did you mean row? known: row")
