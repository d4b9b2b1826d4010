"""The possible cause that names the error which somebody pasted."""

import pytest

from runbook.model.block import Diagnostic, PossibleCause
from runbook.search.likely import likely_causes

SYMPTOM = Diagnostic(
    id="cannot-join",
    title="A consumer can't join",
    symptom="It reads nothing.",
    errors=["INCONSISTENT_GROUP_PROTOCOL", "Found no committed offset", "already has the configured maximum"],
    causes=[
        PossibleCause(cause="No assignor in common", look="INCONSISTENT_GROUP_PROTOCOL since a deployment."),
        PossibleCause(cause="The group is full", look="GROUP_MAX_SIZE_REACHED."),
        PossibleCause(cause="Its offsets expired", look="The log says: found no committed offset."),
        PossibleCause(cause="A pause", look="TimeoutException, as of anything."),
        PossibleCause(cause="A harmless leftover", look='"left over from an aborted upgrade" at a start.'),
    ],
)


@pytest.mark.parametrize(
    ("text", "causes"),
    [
        ("org.apache.kafka.common.errors.InconsistentGroupProtocolException: …", ["No assignor in common"]),
        ("the consumer group has reached its max size. GROUP_MAX_SIZE_REACHED", ["The group is full"]),
        ("Found no committed offset for partition clicks-0", ["Its offsets expired"]),
        ("java.util.concurrent.TimeoutException", []),
        ("Ignoring it. It could be a left over from an aborted upgrade.", ["A harmless leftover"]),
        ("already has the configured maximum", []),
        ("INCONSISTENT_GROUP_PROTOCOL, GROUP_MAX_SIZE_REACHED, found no committed offset", []),
    ],
)
def test_an_error_leads_to_the_causes_that_name_it(text: str, causes: list[str]) -> None:
    assert [cause.cause for cause in likely_causes(SYMPTOM, text)] == causes
