"""How things stood before an incident and in its end: what failed, what is not known, and by which text."""

from typing import Any

import pytest
from msgspec import structs

from runbook.model.result import Outcome, Result, WaiverUse
from support.kept_incident import fails, gate, keep, keep_walk, page
from support.small_runbooks import result


@pytest.mark.usefixtures("here")
def test_what_failed_even_before_it_began_is_told_apart(command: Any) -> None:
    keep(3, fails("ha/healed"), result("ha/came", "prod"))
    keep(4, result("ha/healed", "prod"), fails("ha/standing"))
    keep(6, fails("ha/came"), fails("ha/healed"), fails("ha/standing"), fails("ha/new"))
    text = page(command, "--walks", "nowhere")
    assert "until 2026-11-24 06:30:00, 3 failed: ha/came, ha/healed, ha/new.\n" in text
    assert "- 1 check failed before it began, and still then: ha/standing.\n" in text
    assert "| fails now: ha/came, ha/healed, ha/new |\n" in text
    assert "| failed before, and still: ha/standing |\n" in text
    assert "no run of the day before it" not in text
    keep(7, result("ha/came", "prod"), result("ha/healed", "prod"), result("ha/new", "prod"))
    text = page(command, "--walks", "nowhere")
    assert "until 2026-11-24 07:30:00, nothing failed that had not failed before.\n" in text
    keep(8, fails("ha/standing"))
    again = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert again.count("failed before, and still:") == 1


@pytest.mark.usefixtures("here")
def test_what_was_unknown_or_waived_even_before_is_not_said_to_be_so_now(command: Any) -> None:
    excused = structs.replace(fails("ha/b"), failed=1, waiver=WaiverUse("me", "until then", "2026-12-01", rows=1))
    keep(4, dark("ha/a"), excused, fails("ha/c"))
    keep(6, dark("ha/a"), excused, result("ha/c", "prod"))
    text = page(command, "--walks", "nowhere")
    assert "| passes now: ha/c |\n" in text
    assert "| unknown before, and still: ha/a |\n" in text
    assert "| failed before, waived, and still: ha/b |\n" in text


@pytest.mark.usefixtures("here")
def test_what_did_not_apply_in_between_was_not_unknown_before(command: Any) -> None:
    keep(3, dark("ha/a"), fails("ha/b"), result("ha/c", "prod"))
    none = Outcome.NOT_APPLICABLE
    keep(4, result("ha/a", "prod", none), result("ha/b", "prod", none), result("ha/c", "prod", none))
    keep(6, dark("ha/a"), fails("ha/b"), result("ha/c", "prod"))
    text = page(command, "--walks", "nowhere")
    assert "| unknown now: ha/a |\n" in text
    assert "| fails now: ha/b |\n" in text
    assert "before, and still" not in text
    assert "passes now" not in text


def dark(check: str, reason: str = "connection refused") -> Result:
    return result(check, "prod", Outcome.UNKNOWN, reason=reason)


@pytest.mark.usefixtures("here")
def test_an_environment_that_nobody_could_look_at_is_not_said_to_be_well(command: Any) -> None:
    keep(6, *(dark(f"ha/{name}") for name in "abcdef"), dark("ha/g", "no kafka connection"))
    keep(7, dark("ha/a"), complete=False)
    text = page(command, "--walks", "nowhere")
    assert "until 2026-11-24 07:30:00, nothing could be found out.\n" in text
    named = "ha/a, ha/b, ha/c, ha/d, ha/e and 2 more"
    assert f"- 7 of 7 checks could not be found out then: {named}; 6 of them, as connection refused\n" in text
    assert "none failed" not in text


@pytest.mark.usefixtures("here")
def test_what_is_unknown_in_the_end_is_said_beside_what_failed_and_what_did_not(command: Any) -> None:
    keep(6, result("ha/a", "prod"), dark("ha/b"))
    text = page(command, "--walks", "nowhere")
    assert "until 2026-11-24 06:30:00, none is known to have failed.\n" in text
    assert "- 1 of 2 checks could not be found out then: ha/b; as connection refused\n" in text
    keep(7, fails("ha/a"))
    text = page(command, "--walks", "nowhere")
    assert "until 2026-11-24 07:30:00, 1 failed: ha/a.\n- 1 of 2 checks could not be found out then: ha/b;" in text
    keep_walk(gate("prod", "ha/b"))
    assert "could not be found out then" not in page(command)  # a gate saw it later


@pytest.mark.usefixtures("here")
def test_a_look_that_was_interrupted_is_not_the_last_one_where_there_is_a_whole_one(command: Any) -> None:
    keep(7, dark("ha/a", "the run was interrupted"), fails("ha/b"), interrupted=True)
    assert "until 2026-11-24 07:30:00, 1 failed: ha/b.\n" in (text := page(command, "--walks", "nowhere"))
    assert "is not counted" not in text
    keep(6, fails("ha/a"), result("ha/b", "prod"))
    text = page(command, "--walks", "nowhere")
    assert "- When last looked at, until 2026-11-24 06:30:00, 1 failed: ha/a.\n" in text
    told = "was interrupted and is not counted there: 1 of 2 checks could not be found out; 1 failed: ha/b.\n"
    assert f"- A later look, at 2026-11-24 07:30:00, {told}" in text
    assert "could not be found out then" not in text


@pytest.mark.usefixtures("here")
def test_what_was_not_known_for_one_reason_is_one_line(command: Any) -> None:
    keep(6, dark("ha/a"), dark("ha/b"), dark("ha/c", "no kafka connection"))
    keep(7, dark("ha/b"))
    text = page(command, "--walks", "nowhere")
    assert "| from 2026-11-24 06:30:00 to 2026-11-24 07:30:00 | connection refused | ha/a, ha/b |\n" in text
    assert "| at 2026-11-24 06:30:00 | no kafka connection | ha/c |\n" in text


@pytest.mark.usefixtures("here")
def test_a_cause_that_a_later_look_like_it_does_not_name_is_said_to_be_over(command: Any) -> None:
    down = "broker 2 is down"
    keep(6, fails("ha/a"), cause=down)
    keep(7, result("ha/a", "prod"), complete=False)  # a part of the checks tells no cause
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert f"- **Cause**, named at 2026-11-24 06:30:00: {down}\n" in text
    keep(8, dark("ha/a"))  # what it explained could not be seen
    keep(9, fails("ha/a"), cause="brokers 2 and 3 are down")
    assert f"06:30:00: {down}\n" in page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    keep(10, result("ha/a", "prod"))
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert f"- **Cause**, named at 2026-11-24 06:30:00, not any more at 2026-11-24 10:30:00: {down}\n" in text


@pytest.mark.usefixtures("here")
def test_a_cause_whose_sentence_counts_is_told_once_by_its_last_sentence(command: Any) -> None:
    keep(6, fails("ha/a"), cause="group a stands at 379", about="a")
    keep(7, fails("ha/a"), cause="group a stands at 269", about="a")
    keep(8, fails("ha/a"), cause="group b stands at 9", about="b")
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    told = [line for line in text.splitlines() if "**Cause**" in line]
    assert told == [
        "- **Cause**, named from 2026-11-24 06:30:00 to 2026-11-24 07:30:00: group a stands at 269",
        "- **Cause**, named at 2026-11-24 08:30:00: group b stands at 9",
    ]


@pytest.mark.parametrize(("version", "own", "built_in"), [("2.9.0", "1.0.0", "2.9.0"), ("1.0.0", "d", "other")])
@pytest.mark.usefixtures("here")
def test_another_text_of_a_check_is_no_change_of_the_cluster(
    command: Any, version: str, own: str, built_in: str
) -> None:
    keep(3, fails("ha/b"))
    keep(6, result("ha/a", "prod"), result("ha/b", "prod"))
    keep(7, structs.replace(fails("ha/a"), check_digest="other", runbook_version=version), fails("ha/b"))
    keep(8, result("ha/a", "prod"))
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert f"| fails now: ha/a (text of {built_in}), ha/b |" in text
    assert text.count("passes now") == text.count("| passes now: ha/b |") == 1  # it failed the day before
    ended = "- Failed, and not judged any more since 2026-11-24 08:30:00, but by another text"
    assert f"\n{ended}: ha/a (text of {built_in}).\n" in text
    assert f"ha/a (text of {own})" not in text  # it passed all the time


@pytest.mark.usefixtures("here")
def test_a_check_that_was_amended_fails_no_more_by_its_text_of_before(command: Any) -> None:
    old = structs.replace(fails("ha/a"), check_digest="old", runbook_version="0.9.0")
    unknown = structs.replace(dark("ha/b"), check_digest="old", runbook_version="0.9.0")
    keep(4, old, unknown)
    keep(6, old, unknown)
    keep(7, dark("ha/b"), result("ha/c", "prod"), result("ha/a", "prod"))
    text = page(command, "--walks", "nowhere")
    assert "- 2 looks; 1 check failed at some time.\n" in text
    assert "until 2026-11-24 07:30:00, none is known to have failed.\n" in text
    assert "- 1 of 3 checks could not be found out then: ha/b (text of 1.0.0); as" in text
    assert "still then" not in text
    ended = "- Failed, and not judged any more since 2026-11-24 07:30:00, but by another text"
    assert f"\n{ended}: ha/a (text of 0.9.0).\n" in text
    keep(8, old)
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert "- 1 check failed before it began, and still then: ha/a (text of 0.9.0).\n" in text
    assert "not judged any more" not in text


@pytest.mark.usefixtures("here")
def test_what_passes_where_it_did_not_apply_before_is_no_news(command: Any) -> None:
    keep(6, result("ha/a", "prod", Outcome.NOT_APPLICABLE), fails("ha/b"))
    keep(7, result("ha/a", "prod"), result("ha/b", "prod", Outcome.NOT_APPLICABLE))
    keep(8, result("ha/b", "prod"))
    text = page(command, "--walks", "nowhere", "--to", "2026-11-24T12:00")
    assert "passes now: ha/a" not in text
    assert "passes now: ha/b" in text  # it failed before


@pytest.mark.usefixtures("here")
def test_where_nothing_is_kept_of_the_day_before_that_is_said(command: Any) -> None:
    keep(6, fails("ha/a"))
    assert "no run of the day before it is kept: what failed even then is not marked" in page(command)


@pytest.mark.usefixtures("here")
def test_a_failure_that_is_waived_is_counted_apart(command: Any) -> None:
    waived = WaiverUse("me", "until the new cluster is there", "2026-12-01", rows=1)
    keep(6, structs.replace(fails("ha/a"), failed=1, waiver=waived), fails("ha/b"))
    keep(7, fails("ha/a"), result("ha/b", "prod"))
    text = page(command)
    assert "1 fail, 0 unknown, 1 waived |" in text
    assert "| fails, and is waived, now: ha/a |" in text
    assert "1 pass, 1 fail, 0 unknown |" in text
    assert "| fails now: ha/a |" in text
