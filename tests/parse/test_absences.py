"""What is declared absent: of each why there is none, and each is a connection or a probe."""

import datetime as dt

import pytest

from runbook.parse.absences import NO_REASON
from runbook.parse.inventory import survey_inventory


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        (
            "{zookeeper: }",
            (
                "environments.yaml:1:43  absent.zookeeper does not say why there is none\n"
                "    write the reason in its place, or leave it out: checks of what is absent do not apply"
            ),
        ),
        ("{ssh: ''}", "absent.ssh does not say why there is none\n    write the reason in its place, or leave it out"),
        (f"{{ssh: {NO_REASON}}}", "absent.ssh does not say why there is none\n    write the reason in its place"),
        (f"{{ssh: '{NO_REASON.capitalize()}.'}}", "absent.ssh does not say why there is none"),
        ("[ssh, connect]", f"write absent: {{ssh: {NO_REASON}, connect: {NO_REASON}}}"),
        (
            "{zookeper: none here}",
            'environments.yaml:1:32  no connection or probe is called "zookeper"\n    did you mean zookeeper?',
        ),
        ("{kafka_brokr: none here}", "did you mean kafka_broker?"),
    ],
)
def test_what_is_wrong_with_an_absence_is_told_once(absent: str, said: str) -> None:
    text = f"environments: {{prod: {{absent: {absent}}}}}"
    _, [problem] = survey_inventory(text, "environments.yaml", dt.date(2026, 11, 21))
    assert said in str(problem)


def test_what_has_its_reason_stands() -> None:
    text = "environments: {prod: {absent: {ssh: , connect: none of ours}}}"
    inventory, problems = survey_inventory(text, "environments.yaml", dt.date(2026, 11, 21))
    assert (inventory.targets["prod"].environment.absent, len(problems)) == ({"connect": "none of ours"}, 1)
