import pytest

from runbook.run.collection.single_questions import Answering, ask_all
from support.small_runbooks import FAKES, target

pytestmark = pytest.mark.usefixtures("fakes")


def test_who_has_not_answered_is_told_again_and_again() -> None:
    told: list[Answering] = []
    hangs = {"how": "hang"}
    answers = ask_all(
        [target("prod")], ["fake_act", "fake_row"], 2.0, given=hangs, user_checks=[str(FAKES)], follow=told.append
    )
    assert not answers["prod", "fake_act"].complete
    waits = [event for event in told if event.waiting_for == ["fake_act of prod"]]
    assert len(waits) > 2, told  # a clock that shows them goes on
    assert all((event.answered, event.asked) == (1, 2) for event in waits)


def test_nobody_is_waited_for_who_has_answered() -> None:
    told: list[Answering] = []
    ask_all([target("prod")], ["fake_row"], 10.0, user_checks=[str(FAKES)], follow=told.append)
    assert told[0] == Answering(0, 1, ["fake_row of prod"], loading=True)
    assert told[-1] == Answering(1, 1)
