"""On a platform that is well nothing critical or high fails, whatever fails its owner can mend, and no cause is named.

A new file in `support/platforms/` is one more platform; each is judged on every runbook whose facts it has.
"""

import pytest

from support.platforms import causes_named, explained, failing, names, platform, run_on, shown
from support.platforms.__main__ import table

PLATFORMS = names()
UNSEEN = {
    "brokers_with_logins": 4,
    "development": 5,
    "machines_with_zookeeper": 7,
    "managed": 14,
    "zookeeper": 1,
}
"""Platform → how many checks nobody can judge there at most, as Kafka or a service hides what they need.

When its brokers were started was not asked yet as `brokers_with_logins` was recorded, nor what files of brokers say and
whether log cleaners live as `machines_with_zookeeper` was, nor limits of connections as `zookeeper` was. How long a
transaction is open at most was not kept of `development` and `machines_with_zookeeper`.
"""


@pytest.mark.parametrize("name", PLATFORMS)
def test_nothing_critical_or_high_fails_there_but_what_is_under_way(name: str) -> None:
    failed = {result.check.rpartition("/")[2]: result.severity for result in failing(run_on(name))}
    grave = {check for check, severity in failed.items() if severity in ("critical", "high")}
    assert grave - explained(run_on(name)) == set()
    assert not grave or platform(name).causes


@pytest.mark.parametrize("name", PLATFORMS)
def test_what_fails_there_its_owner_can_mend(name: str) -> None:
    failed = {result.check.rpartition("/")[2] for result in failing(run_on(name))} - explained(run_on(name))
    assert failed == platform(name).mended_by.keys()


@pytest.mark.parametrize("name", PLATFORMS)
def test_no_cause_is_named_but_what_is_under_way(name: str) -> None:
    assert causes_named(run_on(name)) == [*platform(name).causes]


@pytest.mark.parametrize("name", PLATFORMS)
def test_something_is_judged_there_and_little_is_unknown(name: str) -> None:
    outcomes = [str(result.outcome) for result in run_on(name).results if not result.unobserved]
    assert outcomes.count("pass") > outcomes.count("fail") + outcomes.count("unknown")
    assert outcomes.count("unknown") <= UNSEEN.get(name, 0)


def test_the_table_has_a_line_for_each() -> None:
    _, _, *lines = table()
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines] == [platform(name).what for name in PLATFORMS]


def test_what_a_managed_service_hides_is_declared_and_never_passes() -> None:
    hidden = shown("managed-services").absent
    resting = [
        result for result in run_on("managed").results if {fact.source for fact in result.evidence} & hidden.keys()
    ]
    assert resting
    assert {str(result.outcome) for result in resting} == {"not_applicable"}
