"""How a step of a walk is printed."""

import pytest

from runbook.model.block import Step
from runbook.show.walk_page import WalkPage

STEP = Step(do="Create each.", command="kafka-topics.sh --create --topic TOPIC --partitions PARTITIONS")


def printed(capsys: pytest.CaptureFixture[str], **cells: object) -> str:
    WalkPage("prod", 100, color=False, **cells).step(1, 1, STEP)  # type: ignore[arg-type]  # its own fields
    return capsys.readouterr().out


def test_what_a_placeholder_may_stand_for_is_shown_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, choices={"TOPIC": ["clicks", "orders"]})
    assert "fill in  TOPIC (clicks, orders), PARTITIONS (or begin with --set TOPIC=…)" in said


def test_what_was_made_on_the_way_is_filled_in_from_there_on(capsys: pytest.CaptureFixture[str]) -> None:
    page = WalkPage("prod", 100, color=False, values={"TOPIC": "clicks"})
    page.name({"PARTITIONS": "3"}, {}, {})
    page.step(1, 1, STEP)
    assert "--topic clicks --partitions 3" in capsys.readouterr().out
    page.name({}, {"TOPIC": ["clicks", "orders"]}, {})
    page.step(1, 1, STEP)
    said = capsys.readouterr().out
    assert "--topic TOPIC --partitions 3" in said
    assert "fill in  TOPIC (clicks, orders) (or begin" in said


def test_what_stays_open_as_nobody_told_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    late = {"TOPIC": "not seen at prod: did not answer in 5 s", "PARTITIONS": "not seen at prod: did not answer in 5 s"}
    said = printed(capsys, choices={"TOPIC": ["clicks", "orders"]}, unseen=late)
    left = "fill in TOPIC (clicks, orders), PARTITIONS (not seen at prod: did not answer in 5 s) (or begin with --set"
    assert left in " ".join(said.split())


def test_of_very_many_the_first_are_shown_and_the_rest_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, choices={"TOPIC": [f"t{number}" for number in range(20)]})
    assert "TOPIC (t0, t1, t2, t3, t4, t5, t6, t7 and 12 more)" in " ".join(said.split())


def test_what_is_filled_in_is_not_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, values={"TOPIC": "orders", "PARTITIONS": "3"}, choices={"TOPIC": ["clicks", "orders"]})
    assert "--topic orders --partitions 3" in said
    assert "fill in" not in said


def test_a_step_says_why_at_what_risk_and_with_what_effort_and_nothing_of_what_it_does_not_say(
    capsys: pytest.CaptureFixture[str],
) -> None:
    WalkPage("prod", 80, color=False).step(1, 1, Step(do="Wait.", why="It copies.", risk="None.", effort="An hour."))
    said = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert said[-4:] == ["Wait.", "why  It copies.", "risk  None.", "effort  An hour."]


def test_code_in_a_sentence_stays_whole_to_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    code = "kafka-configs.sh --bootstrap-server kafka-1:9092 --alter --entity-type topics --add-config retention.ms=1"
    stop = f"If the disk fills, stop, and give the topic back what it kept with `{code}`.\n\nThen look again."
    WalkPage("prod", 80, color=False).step(1, 1, Step(do="Wait.\x1b[2J", command="", stop=stop))
    said = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in said if code in line] == [code]
    assert max(len(line) for line in said if code not in line) <= 80
    assert said[-1] == "      Then look again."
    assert "\x1b" not in "".join(said)
