"""What is wrong is said with counts and values of parameters, and a parameter that there is not is a mistake."""

import pytest

from runbook.judge.effect_words import by_default
from runbook.judge.judge import judge
from runbook.model.block import Check
from runbook.model.errors import Invalid
from runbook.run.sources.runbooks import read_all
from support.small_runbooks import BAD, EACH, ROWS, compiled, context, fact

PARAMS = "params: {most: {type: int, default: 10, help: of a row, source: our judgement}}\n"
BY_PARAMETER = (
    PARAMS
    + ROWS
    + 'expect: {each: row, that: row.size <= params.most}\neffect: "{failed} of {judged} have over {params.%s}"'
)


@pytest.mark.usefixtures("fakes")
def test_a_verdict_says_counts_and_the_values_in_force() -> None:
    verdict = judge(compiled(BY_PARAMETER % "most"), {"row": fact("fake_row", BAD)}, context(params={"most": 2}))
    assert verdict.reason == "1 of 1 have over 2"


@pytest.mark.usefixtures("fakes")
def test_a_parameter_that_there_is_not_is_a_mistake_with_the_name_that_was_meant() -> None:
    with pytest.raises(Invalid) as caught:
        compiled(BY_PARAMETER % "mots")
    [problem] = caught.value.problems
    assert (problem.message.partition(" in ")[0], problem.remedy) == (
        'nothing stands for "{params.mots}"',
        "did you mean params.most? known: failed, judged, params.most",
    )


@pytest.mark.usefixtures("fakes")
def test_a_count_that_there_is_not_is_a_mistake_too() -> None:
    with pytest.raises(Invalid, match=r'nothing stands for "\{total\}"'):
        compiled(EACH + '\neffect: "{failed} of {total}"')


@pytest.mark.usefixtures("fakes")
def test_an_effect_without_braces_is_as_it_was_written() -> None:
    verdict = judge(compiled(EACH + "\neffect: too large"), {"row": fact("fake_row", BAD)}, context())
    assert verdict.reason == "too large"


def test_no_built_in_effect_keeps_a_brace() -> None:
    shown = {
        placed.name: by_default(placed.block)
        for book in read_all([])
        for placed in book.checks()
        if isinstance(placed.block, Check)
    }
    assert shown["gc/heap-does-not-creep"].endswith("within 72 hours")
    assert {name: text for name, text in shown.items() if "{" in text} == {}
