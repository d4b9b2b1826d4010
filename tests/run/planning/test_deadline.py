"""The deadline that nobody gave leaves time for two looks, and who gave a shorter one is told which to give."""

from pathlib import Path

import pytest

from runbook.model.fact import Gap
from runbook.run.check_run import Options, start
from runbook.run.planning.deadline import LONGEST, deadline_for, given_deadline, longer_deadline, no_second_look
from support.small_runbooks import FRONT, check_text
from support.small_walks import KEPT

TWICE = (
    "facts: {{broker: {{probe: kafka_broker, looks: {pause}}}}}\n"
    "expect: {{window: broker, that: before.answers == after.answers}}\n"
)


@pytest.mark.parametrize(
    ("pauses", "limit"), [((), 10.0), (("3s", "5s"), 10.0), (("3s", "10s"), 20.0), (("50m",), LONGEST)]
)
def test_it_is_twice_the_longest_time_between_two_looks_and_the_usual_at_least(pauses: tuple[str, ...], limit: float):
    assert deadline_for(pauses) == limit


@pytest.mark.parametrize(
    ("words", "limit_ms"),
    [({"only": ["seldom"]}, 20_000), ({"only": ["often"]}, 10_000), ({}, 20_000), ({"deadline": 3.0}, 3_000)],
)
def test_a_run_has_time_for_the_looks_of_what_it_judges_unless_it_was_given_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: dict[str, object], limit_ms: int
):
    monkeypatch.chdir(tmp_path)
    text = FRONT + check_text(TWICE.format(pause="3s"), "often") + check_text(TWICE.format(pause="10s"), "seldom")
    Path("ours.md").write_text(text, "utf-8")
    assert start(Options(runbooks=["ours.md"], bundle=KEPT, **words)).run.deadline_ms == limit_ms  # type: ignore[arg-type]


def test_what_was_not_given_is_no_deadline():
    assert (given_deadline(""), given_deadline("6s")) == (None, 6.0)


@pytest.mark.parametrize(
    ("whole", "advice"), [(0.0, "20s"), (3.0, "20s"), (10.0, "20s"), (20.0, "30s"), (LONGEST, "3600s")]
)
def test_who_gave_too_short_a_one_is_told_which_to_give(whole: float, advice: str):
    why = no_second_look("10s", whole)
    assert str(why).endswith(f"10s after the first: give --deadline {advice}")
    assert longer_deadline([0.0, Gap.of(why).deadline]) == advice
    assert not longer_deadline([0.0])
