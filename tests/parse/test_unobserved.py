"""What an environment leaves unobserved: with a reason, an owner and an end, or it is refused at its place."""

import datetime as dt

import pytest

from runbook.parse.inventory import survey_inventory
from runbook.parse.unobserved import ALWAYS_THERE, Unobserved, said_of_absent
from runbook.plugins.catalog import catalog

TODAY = dt.date(2026, 11, 29)
WHOLE = "because: no access yet, owner: team-x, until: 2027-01-31"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "unobserved: {ssh: no access yet}",
            (
                "e.yaml:1:41  unobserved.ssh needs a reason, an owner and an end\n"
                '    write ssh: {because: "no access yet", owner: TEAM, until: 2026-12-31}'
            ),
        ),
        ("unobserved: [ssh]", "write ssh: {because: no access yet, owner: TEAM, until: 2026-12-31}"),
        ("unobserved: ssh", "write ssh: {because: no access yet, owner: TEAM, until: 2026-12-31}"),
        (
            "unobserved: {ssh: {because: no access yet, owner: team-x}}",
            'e.yaml:1:41  unobserved.ssh lacks "until"\n    add until: (the last day on which it holds',
        ),
        ("unobserved: {ssh: {because: no access yet, until: 2027-01-31}}", 'unobserved.ssh lacks "owner"'),
        ("unobserved: {ssh: {owner: team-x, until: 2027-01-31}}", 'unobserved.ssh lacks "because"'),
        (
            "unobserved: {ssh: {because: no access yet, owner: team-x, until: 2027-13-01}}",
            "e.yaml:1:88  2027-13-01 is no date\n    write it as 2026-12-31",
        ),
        (
            "unobserved: {ssh: {because: no access yet, owner: team-x, until: 2028-01-31}}",
            "what is not observed stays so 366 days at most\n    2027-11-30 is the latest date today",
        ),
        (f"unobserved: {{shh: {{{WHOLE}}}}}", 'no connection or probe is called "shh"\n    did you mean ssh?'),
        (
            f"ssh: {{hosts: {{a: {{address: b}}}}}}, unobserved: {{ssh: {{{WHOLE}}}}}",
            "both given and declared unobserv",
        ),
        (
            f"absent: {{ssh: none}}, unobserved: {{ssh: {{{WHOLE}}}}}",
            "ssh of prod is declared both absent and unobserv",
        ),
    ],
)
def test_what_is_wrong_is_told_once_with_its_place_and_what_to_write(entry: str, said: str) -> None:
    _, [problem] = survey_inventory(f"environments: {{prod: {{{entry}}}}}", "e.yaml", TODAY)
    assert said in str(problem)


def test_a_connection_or_a_probe_may_be_unobserved_until_the_end_of_a_day_in_utc() -> None:
    text = f"environments: {{prod: {{unobserved: {{ssh: {{{WHOLE}}}, kafka_quorum: {{{WHOLE}}}}}}}}}"
    inventory, problems = survey_inventory(text, "e.yaml", TODAY)
    assert problems == []
    unobserved = inventory.targets["prod"].environment.unobserved
    assert unobserved["kafka_quorum"] == unobserved["ssh"] == Unobserved("no access yet", "team-x", "2027-01-31")
    last = dt.datetime(2027, 1, 31, 23, 59, tzinfo=dt.UTC)
    assert [unobserved["ssh"].ended(when) for when in (last, last + dt.timedelta(minutes=1))] == [False, True]


def test_what_has_passed_is_read_and_means_what_it_says() -> None:
    text = "environments: {prod: {unobserved: {ssh: {because: no access yet, owner: team-x, until: 2026-01-31}}}}"
    _, problems = survey_inventory(text, "e.yaml", TODAY)
    assert problems == []


def test_what_always_exists_and_is_called_absent_is_not_observed() -> None:
    text = "environments: {prod: {absent: {ssh: no access yet, zookeeper: KRaft}}}"
    inventory, _ = survey_inventory(text, "e.yaml", TODAY)
    environment = inventory.targets["prod"].environment
    assert environment.not_observed() == {"ssh": Unobserved("no access yet", "", "")}
    assert "ssh reads as unobserved, as every cluster has hosts: runbook upgrade" in said_of_absent(environment.absent)
    assert said_of_absent({"zookeeper": "KRaft"}) == ""


def test_what_always_exists_is_told_by_connections_that_there_are() -> None:
    assert {*ALWAYS_THERE} <= {*catalog("connections").names()}
