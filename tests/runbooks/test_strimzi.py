"""Every careless line in Strimzi's resources, and every drift of what runs from them, is found by the check it is for.

`FAULTS` is the table: what is done to one object of a platform that is well, and the checks that then fail, these and
no others of those about Strimzi.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import pytest
from msgspec.structs import replace

from runbook.cli.followed_run import execute
from runbook.evidence.bundle import load_bundle, save_bundle
from runbook.run.check_run import Options
from support import strimzi_bundle
from support.built_in import checks_of
from support.recorded_kubernetes import Played
from support.strimzi_fault import Fault, merged
from support.strimzi_faults import FAULTS
from support.strimzi_played import platform

CHECKS: Final = sorted(
    check.id
    for check in checks_of("kubernetes")
    if not check.gate and all(fact.probe in strimzi_bundle.PROBES for fact in check.facts.values())
)
OF_FILES: Final = {"declared-fields-are-known", "no-declared-acl-allows-all-users"}
"""What an API server has taken can't be broken so: test_strimzi_manifests.py and plans of Terraform have it."""
WELL: Final = "a platform that is well"


def broken(fault: Fault) -> Played:
    played = platform()
    items = played.items(fault.path)
    place = items.index(played.item(fault.path, fault.named))
    items[place] = merged(items[place], fault.change)
    return played


def called(name: str) -> str:
    """The environment of a fault."""
    return re.sub("[^a-z]+", "-", name.lower())


def _of(name: str, played: Played) -> Iterator[Any]:
    for kept in strimzi_bundle.bundle(played).kept:
        yield replace(kept, ask=replace(kept.ask, environment=name))


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Fault → the checks about Strimzi that fail; each is an environment of one run."""
    known = strimzi_bundle.bundle()
    [environment] = known.environments.values()
    platforms = {called(WELL): platform()} | {called(name): broken(fault) for name, fault in FAULTS.items()}
    whole = replace(
        known,
        environments=dict.fromkeys(platforms, environment),
        connections={name: ["kubernetes"] for name in platforms},
        kept=[kept for name, played in platforms.items() for kept in _of(name, played)],
    )
    file = tmp_path_factory.mktemp("strimzi") / "bundle.json"
    save_bundle(file, whole)
    found: dict[str, set[str]] = defaultdict(set)
    for result in execute(
        Options(runbooks=["kubernetes"], only=CHECKS, environments=["*"], bundle=file, deadline=120)
    ).run.results:
        if result.outcome != "pass":
            assert result.outcome != "unknown" or result.environment != called(WELL), result
        if result.outcome == "fail":
            found[result.environment].add(result.check.removeprefix("kubernetes/"))
    return found


def test_a_platform_that_is_well_fails_no_check(failed: dict[str, set[str]]):
    assert failed[called(WELL)] == set()


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_by_the_checks_that_are_for_it(failed: dict[str, set[str]], name: str):
    assert failed[called(name)] == FAULTS[name].checks


def test_every_check_about_strimzi_finds_some_fault():
    found = {check for fault in FAULTS.values() for check in fault.checks}
    assert set(CHECKS) - found == OF_FILES


def test_the_base_of_cases_is_what_probes_see_of_that_platform():
    def lasting(bundle: Any) -> Any:
        """Without how long ago something was, which no two looks have in common."""
        return {
            kept.ask.probe: {key: cells for key, cells in fact.columns.items() if key not in ("age", "moved")}
            for kept in bundle.kept
            for fact in kept.facts.values()
        }

    assert lasting(load_bundle(strimzi_bundle.FILE)) == lasting(strimzi_bundle.bundle())
