from typing import Any

import pytest

from runbook.judge.cause import (
    CauseFindings,
    CompiledCause,
    CompiledEffect,
    compile_cause,
    compile_effect,
    look_for,
    tell,
)
from runbook.model.errors import Invalid
from runbook.model.fact import Fact, Gap
from support.cause_blocks import CAUSE, EFFECT, block
from support.small_runbooks import context, fact, small_runbook

pytestmark = pytest.mark.usefixtures("fakes")


def cause(text: str = CAUSE) -> CompiledCause:
    [placed] = small_runbook(block("cause", text)).placed()
    return compile_cause(placed)


def effect(text: str = EFFECT) -> CompiledEffect:
    [placed] = small_runbook(block("effect", text)).placed()
    return compile_effect(placed)


def looked(*rows: dict[str, Any], gaps: tuple[str | Gap, ...] = (), text: str = CAUSE) -> CauseFindings:
    return look_for(cause(text), {"row": fact("fake_row", rows, gaps)}, context())


def problems(text: str) -> list[str]:
    with pytest.raises(Invalid) as caught:
        cause(text)
    return [f"{problem.message} | {problem.remedy}" for problem in caught.value.problems]


def test_it_holds_for_each_row_of_which_its_condition_is_true() -> None:
    [found] = looked({"name": "a", "size": 11}, {"name": "b", "size": 3}).findings
    assert (found.certain, found.keys, found.rows) == (True, {"name": "a"}, 1)
    assert (found.says, found.first, found.avoid) == ("row a has 11 bytes in 1 rows", "shrink a", "grow a")
    assert found.proof == ["it has 11"]
    assert found.given == [{"names": ["a"], "size": [1]}]


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        ("it weighs {row.ratio}", []),
        ('{row.size > 99 ? "much" : ""}', []),
        ("it has {row.size} and weighs {row.ratio}", []),
        ("rows: {rows}", ["rows: 1"]),
        ("it is what it is", ["it is what it is"]),
    ],
)
def test_a_proof_of_which_something_is_not_known_or_that_is_empty_is_left_out(proof: str, said: list[str]) -> None:
    made = cause(CAUSE.replace('["it has {row.size}"]', f"['{proof}']"))
    [found] = look_for(made, {"row": fact("fake_row", [{"name": "a", "size": 11}])}, context()).findings
    assert found.proof == said


def test_of_many_findings_so_many_are_written_out_those_that_are_certain_first() -> None:
    rows = [{"name": name, "size": size} for name, size in (("a", None), ("b", 11), ("c", 3), ("d", 12), ("e", 13))]
    found = look_for(cause(), {"row": fact("fake_row", rows)}, context(), 2)
    assert ([one.keys["name"] for one in found.findings], found.more) == (["b", "d"], 2)
    assert [one.keys["name"] for one in looked(*rows).findings] == ["a", "b", "d", "e"]


def test_words_of_its_procedure_are_filled_in_as_far_as_they_are_known() -> None:
    words = '\n    words: {NAME: "{row.name}", OFFSET: "{row.size + 1}", ID: "{row.ratio}", TOPIC: ""}\n'
    [found] = looked({"name": "a", "size": 11}, text=CAUSE.rstrip() + words).findings
    assert found.words == {"NAME": "a", "OFFSET": "12"}


def test_it_holds_for_nothing_where_its_condition_is_false() -> None:
    assert looked({"name": "a", "size": 10}) == CauseFindings([])


def test_without_a_column_to_group_by_all_rows_are_one_finding() -> None:
    text = CAUSE.replace(", by: [name]", "")
    [found] = looked({"name": "a", "size": 11}, {"name": "b", "size": 12}, text=text).findings
    assert (found.keys, found.rows, found.given[0]["names"]) == ({}, 2, ["a", "b"])


def test_what_could_not_be_found_out_makes_it_possible_and_not_certain() -> None:
    [found] = looked({"name": "a"}).findings
    assert (found.certain, found.doubt) == (False, "row.size could not be found out")


def test_one_row_that_holds_makes_a_group_certain() -> None:
    text = CAUSE.replace("by: [name]", "by: [broker]")
    rows = ({"name": "a", "broker": 1}, {"name": "b", "broker": 1, "size": 11})
    [found] = looked(*rows, text=text).findings
    assert (found.certain, found.rows, found.says) == (True, 1, "row b has 11 bytes in 1 rows")


def test_rows_that_where_leaves_out_are_not_looked_at() -> None:
    text = CAUSE.replace("each: row,", "each: row, where: row.ok,")
    assert looked({"name": "a", "size": 11, "ok": False}, text=text).findings == []


def test_what_could_not_be_seen_is_said() -> None:
    assert looked(gaps=("b did not answer",)).unseen == "b did not answer"


def test_where_the_question_has_no_meaning_it_does_not_hold() -> None:
    facts = {"row": Fact("fake_row", fact("fake_row").columns, inapplicable="not here")}
    assert look_for(cause(), facts, context()) == CauseFindings([])


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("row.size > 10", "row.sise > 10"), 'unknown name "row.sise" in the holds.that of small/too-large'),
        (("by: [name]", "by: [nam]"), 'no column "nam" in small/too-large'),
        (("fake_shrink", "fake_shrunk"), 'no recovery "fake_shrunk" in small/too-large'),
        (("names: row.name", "names: row.nme"), 'unknown name "row.nme" in small/too-large'),
        ((", size: 1}", ", size: 1, more: 2}"), 'unknown parameter "more" in small/too-large'),
        ((", size: 1}", "}"), "fake_shrink takes size in small/too-large"),
        (("shrink {row.name}", "shrink {row.nam}"), 'unknown name "row.nam" in the first of small/too-large'),
        (("it has {row.size}", "it has {size}"), 'unknown name "size" in the proof.0 of small/too-large'),
        (("row: {probe: fake_row}", "row: {probe: fake_roww}"), 'no probe "fake_roww" in small/too-large'),
    ],
)
def test_every_mistake_is_told_at_its_place(change: tuple[str, str], expected: str) -> None:
    assert any(problem.startswith(expected) for problem in problems(CAUSE.replace(*change))), problems(
        CAUSE.replace(*change)
    )


def test_an_effect_tells_a_sentence_of_each_row_that_it_is_about() -> None:
    rows = fact("fake_row", [{"name": "a", "size": 11}, {"name": "b", "size": 1}])
    assert [(sentence.label, sentence.says) for sentence in tell(effect(), {"row": rows}, context())] == [
        ("now", "a is large")
    ]


def test_an_effect_tells_of_a_row_of_which_it_is_not_known() -> None:
    rows = fact("fake_row", [{"name": "a"}])
    assert [sentence.says for sentence in tell(effect(), {"row": rows}, context())] == ["a is large"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("each: row,", "each: rwo,"), 'no fact "rwo"'),
        (("{row.name} is", "{row.nme} is"), 'unknown name "row.nme"'),
        (("where: row.size > 10", "where: row.size"), "gives INT, not true or false"),
    ],
)
def test_every_mistake_of_an_effect_is_told(change: tuple[str, str], expected: str) -> None:
    with pytest.raises(Invalid) as caught:
        effect(EFFECT.replace(*change))
    assert any(expected.lower() in problem.message.lower() for problem in caught.value.problems)
