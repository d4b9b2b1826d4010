"""A look at an incident that is kept nowhere says so: its review would miss it."""

from typing import Any

import pytest
from msgspec import structs

from runbook.cli.followed_run import CheckDone
from runbook.cli.report_output import _NOT_KEPT, Output, write_report
from runbook.model.diagnosis import CauseFound, Diagnosis
from support.small_runbooks import empty_run

HINT = _NOT_KEPT + "\n"
CAUSE = Diagnosis(
    environment="prod",
    causes=[CauseFound(cause="ha/down", title="Down", says="broker 2 is down", certain=True, explains=["ha/a"])],
)


@pytest.mark.parametrize(
    ("run", "form", "store", "said"),
    [
        ({"trigger": "incident"}, "", "", True),
        ({"diagnoses": [CAUSE]}, "", "", True),
        ({}, "", "", False),
        ({"trigger": "incident"}, "json", "", False),
        ({"trigger": "incident"}, "", "kept", False),
        ({"trigger": "incident", "rejudged": True}, "", "", False),
    ],
)
@pytest.mark.usefixtures("here")
def test_a_look_at_an_incident_says_that_it_is_kept_nowhere(
    run: dict[str, Any], form: str, store: str, capsys: pytest.CaptureFixture[str], *, said: bool
) -> None:
    done = CheckDone(structs.replace(empty_run("prod"), **run), [], "", {})
    write_report(done, Output(form, None, "5", "never", "low"), store)
    assert capsys.readouterr().err.endswith(HINT) is said
