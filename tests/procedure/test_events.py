"""Whatever may happen on a walk is shown, and whatever may be answered has a key."""

from typing import get_args

import pytest
from msgspec import Struct

from runbook.cli.walk_dialog import offered
from runbook.model.block import Procedure, Step
from runbook.model.result import Outcome
from runbook.procedure import events
from runbook.procedure.events import AT_GATE, AT_REASON, AT_STEP, Choice
from runbook.procedure.loss_seen import LossSeen
from runbook.procedure.walk import CheckAt, Stage
from runbook.procedure.walk_record import GateSeen, Measured, Sighting, Skipped
from runbook.run.collection.single_questions import Answering
from runbook.run.judgement.runner import Progress
from runbook.show.walk_screen import WalkScreen
from support.small_runbooks import result
from support.small_walks import AT, BEGUN

SKIPPED = [Skipped("step 1", "ada", AT, "was done")]
SIGHTING = Sighting(stage="before", at=AT, took_ms=1, environment="prod", cluster_id="c", serving=[1, 2])
SHOWN: list[tuple[events.Event, str]] = [
    (
        events.SetOut(BEGUN, Procedure(id="move", title="Move it", steps=[]), "w.jsonl", {}, "", "step 2", SKIPPED),
        "goes on at: step 2",
    ),
    (
        events.SetOut(
            *(BEGUN, Procedure(id="move", title="Move it", steps=[]), "w.jsonl", {}, "", "step 2", SKIPPED),
            changed=["mirror eu→us", "environment us"],
        ),
        "the inventory has changed meanwhile: mirror eu→us, environment us",
    ),
    (events.NamesSeen({"TOPIC": "orders"}, {}), ""),
    (events.StepReached(1, 2, Step(do="Look.")), "STEP 1 of 2\n    Look."),
    (events.GateReached(Stage("before", 0, (CheckAt("well"),))), "GATE before: well"),
    (events.GateObserved([]), ""),
    (events.GateOpened("before"), "gate before: open"),
    (
        events.GateClosed("before", [GateSeen("small/bad", Outcome.FAIL, "so it is")], "Now.", "w.jsonl"),
        "FAIL  small/bad",
    ),
    (events.LossObserved([SIGHTING], LossSeen(seen=True, text="broker 3", cluster="c")), "seen lost: broker 3"),
    (events.CanaryStarts(), "The canary gets ready"),
    (events.Said("3 records a second"), "3 records a second"),
    (
        events.FiguresKnown(Measured(at=AT, unknown={"rpo_records": "no canary"}), link=True),
        "RPO RECORDS: unknown: no canary",
    ),
    (events.GivingUp(""), "the way back: the procedure names none"),
    (
        events.WalkPaused("interrupted", "w.jsonl"),
        "paused (interrupted); go on: runbook procedure walk --resume w",
    ),
    (events.WalkEnded("completed", SKIPPED, "w.jsonl"), "step 1 was skipped: was done"),
    (events.Underway("half"), ""),
    (Answering(1, 2), ""),
    (Progress(1, 2, 3, 4, []), ""),
    (result("ha/good", "prod", Outcome.FAIL), ""),
]


@pytest.mark.parametrize(("event", "text"), SHOWN, ids=[type(event).__name__ for event, _ in SHOWN])
def test_each_event_is_shown_and_what_only_counts_is_not_written_where_nobody_watches(
    event: events.Event, text: str, capsys: pytest.CaptureFixture[str]
):
    WalkScreen(color=False).tell(event)
    out, err = capsys.readouterr()
    assert text in out
    assert (out == "") is (text == "")
    assert err == ""


def test_no_event_is_left_out():
    assert {type(event) for event, _ in SHOWN} == {*get_args(events.Event)}
    assert all(issubclass(kind, Struct) for kind in get_args(events.Event))


def test_each_choice_has_a_key_of_its_own():
    assert {*AT_STEP, *AT_GATE, *AT_REASON} == {*get_args(Choice)}
    for choices in (AT_STEP, AT_GATE, AT_REASON):
        keys = [part.partition(":")[0] for part in offered(choices).split("   ")]
        assert len({*keys}) == len(choices)
