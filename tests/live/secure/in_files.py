"""Faults that brokers hide: they tell of no such setting what it is; the files that they were started with do."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import kafka_lab as labs
from kafka_lab import LabState
from kafka_lab.breaking import in_force
from support.evidence.expected import Expected
from support.evidence.fault import none_of
from support.evidence.scene import State, scene
from support.security import hosts, rights
from support.security.guarded import DEADLINE, PATIENCE, as_it_is, inventory, prompt, secrets_of

# Brokers tell that these settings are there, and hide to what.
HIDDEN_BY_KAFKA: Final = frozenset(
    {"resources-without-an-acl-are-closed", "super-users-are-those-declared", "no-password-stands-in-a-brokers-file"}
)
SUPERS: Final = ["User:ANONYMOUS", *(f"User:broker-{number}" for number in (1, 2, 3))]
ON_HOSTS: Final = frozenset({"resources-without-an-acl-are-closed-on-hosts", "super-users-are-those-declared-on-hosts"})
# The hosts stand in for those of the brokers: they have their files, and not their data.
FILES_WELL: Final = Expected(passes=ON_HOSTS, unknown=HIDDEN_BY_KAFKA | {"data-is-encrypted-on-disk"})


def _seen_in_files(lab: LabState, folder: Path, fault: str) -> Iterator[State]:
    """The lab before, during and after a fault, beside hosts with the files that its brokers were started with."""
    home = Path(lab.folder).parent
    params = {"super-users-are-those-declared-on-hosts": {"declared": SUPERS}}
    beside = folder / "hosts"
    beside.mkdir()
    with rights.completed(as_it_is(lab)), hosts.hosts_with_files_of(lab, beside) as (machines, reached):

        def state(name: str, *, faulty: bool) -> State:
            now = as_it_is(lab)
            hosts.copy_files(now, machines)

            def claims() -> Mapping[str, bool]:
                shown = in_force(now, fault) if faulty else none_of(lambda: in_force(now, fault))()
                return {**shown, **hosts.same_files(now, machines, reached), **prompt(now)}

            environments = inventory(now, params, ssh=reached)
            return State(name, environments, claims, secrets=secrets_of(now), within=PATIENCE, deadline=DEADLINE)

        yield state("before", faulty=False)
        labs.break_(lab.name, fault, home=home)
        try:
            yield state("during", faulty=True)
        finally:
            labs.heal(lab.name, home=home)
        yield state("after", faulty=False)


@scene(
    {
        "before": {"security": FILES_WELL},
        "during": {
            "security": Expected(
                fails={"resources-without-an-acl-are-closed-on-hosts": "server.properties"},
                passes={"super-users-are-those-declared-on-hosts"},
                unknown=FILES_WELL.unknown,
            )
        },
        "after": {"security": FILES_WELL},
    },
    faults=("anonymous-allowed",),
)
def anonymous_allowed(lab: LabState, folder: Path) -> Iterator[State]:
    """Everybody has what no ACL names: no broker tells, so what is asked of them stays unknown; their files do."""
    yield from _seen_in_files(lab, folder, "anonymous-allowed")


@scene(
    {
        "before": {"security": FILES_WELL},
        "during": {
            "security": Expected(
                fails={"super-users-are-those-declared-on-hosts": ("kafka-2", "User:*")},
                passes={"resources-without-an-acl-are-closed-on-hosts"},
                unknown=FILES_WELL.unknown,
            )
        },
        "after": {"security": FILES_WELL},
    },
    faults=("wildcard-super-user",),
)
def wildcard_super_user(lab: LabState, folder: Path) -> Iterator[State]:
    """One broker has a super user more: no broker tells; its file does."""
    yield from _seen_in_files(lab, folder, "wildcard-super-user")


SCENES = [anonymous_allowed, wildcard_super_user]
