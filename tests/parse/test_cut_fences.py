"""Blocks that end at a fence within them."""

import pytest

from runbook.model.errors import Invalid, Problem
from runbook.parse.runbook import parse_runbook, survey_runbook
from support.small_runbooks import FRONT, check_text

REMEDY = """remedy: |
  Ask the owner, then set it:

  ```sh
  kafka-configs.sh --alter
  ```

  What is older goes at once: ask first.
"""
JUDGED = "facts: {topic: {probe: kafka_topic}}\nexpect: {each: topic, that: topic.partitions > 0}\n"


def problems(text: str) -> list[Problem]:
    with pytest.raises(Invalid) as caught:
        parse_runbook(text, "small", "small.md")
    return list(caught.value.problems)


def line_of(text: str, line: str) -> int:
    return text.split("\n").index(line) + 1


@pytest.mark.parametrize("fields", [JUDGED + REMEDY, REMEDY + JUDGED], ids=["optional fields lost", "expect lost"])
def test_a_block_that_ends_at_a_fence_within_it_is_told_there_and_nothing_else_of_it(fields: str) -> None:
    text = FRONT + check_text(fields)
    [problem] = problems(text)
    assert problem.place.line == line_of(text, "  ```")
    assert problem.message == f"this fence ends the check that begins in line {line_of(text, '```yaml {.check}')}"
    assert "four backticks" in problem.remedy


@pytest.mark.parametrize("fence", ["````", "~~~"])
def test_a_block_with_a_longer_or_another_fence_is_whole(fence: str) -> None:
    text = FRONT + check_text(JUDGED + REMEDY).replace("```yaml {.check}", f"{fence}yaml {{.check}}")
    [placed] = parse_runbook(text[: text.rindex("```")] + fence + "\n", "small", "small.md").placed()
    assert "ask first" in placed.document.value["remedy"]


def test_a_fence_that_is_far_enough_to_the_right_ends_no_block() -> None:
    text = FRONT + check_text(JUDGED + REMEDY.replace("  ", "    "))
    [placed] = parse_runbook(text, "small", "small.md").placed()
    assert "ask first" in placed.document.value["remedy"]


@pytest.mark.parametrize("before", ["   ", "> ", "\t"])
def test_a_block_in_a_list_or_a_quotation_is_whole_where_its_fences_stand_alike(before: str) -> None:
    head = "" if before == "> " else "1. step\n\n"
    text = FRONT + head + "".join(f"{before}{line}\n" for line in check_text(JUDGED).splitlines())
    assert len([*parse_runbook(text, "small", "small.md").placed()]) == 1


def test_a_block_that_is_never_closed_is_not_told_to_be_cut() -> None:
    text = FRONT + check_text(JUDGED).removesuffix("```\n")
    assert len([*parse_runbook(text, "small", "small.md").placed()]) == 1


def test_the_id_of_a_block_that_was_cut_is_known() -> None:
    assert len(survey_runbook(FRONT + check_text(JUDGED + REMEDY), "small", "small.md").unread) == 1
