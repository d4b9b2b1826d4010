"""What gates saw under old names of checks goes on under the present ones."""

from runbook.model.result import Outcome
from runbook.procedure.entries_of_today import entries_of_today
from runbook.procedure.walk_record import Overruled
from support.small_walks import AT, WHOLE, judged, seen

NAMES = {"small/moved": "small/arrived"}


def test_gates_and_what_was_overruled_name_checks_as_they_are_called_now() -> None:
    def entries(check: str) -> list:  # type: ignore[type-arg]
        gate = judged("after step 2", seen(Outcome.FAIL, check, "ha/every-broker-answers"))
        return [gate, Overruled(gate.stage, "ada", AT, "it is known", [f"small/{check}"])]

    assert entries_of_today(entries("moved"), NAMES) == entries("arrived")


def test_nothing_else_changes() -> None:
    assert entries_of_today(WHOLE, {"small/other": "small/another"}) == WHOLE
