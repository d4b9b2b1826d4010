"""All that dr.md asks of two sites: when all is right, when as much as can be is wrong, and when it is not there."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from kafka_lab import LabState, connect, mirrors
from support import two_sites
from support.built_in import checks_of
from support.evidence.expected import Expected
from support.evidence.scene import State, scene
from support.two_sites import CONNECTOR, LATE, READS_ONE, Sites
from support.two_sites_claims import all_is_right, as_much_as_can_be_is_wrong, cluster_id, is_misplaced, is_of
from support.two_sites_flow import comes_through
from support.two_sites_told import Inventory, file_of_mirrormaker, says, told_when_right, told_when_wrong

_BUSY = 240.0  # seconds until tasks that were all changed run again, on a machine that has other things to do

_NO_SUCH_RIGHTS = frozenset({"applications-may-work-there"})  # the ACLs of these sites let nobody write
_NO_CENTRES = frozenset({"rpo-0-is-no-accident"})  # each site is a cluster of its own, over no data centres
_RIGHT = Expected(
    passes=frozenset(check.id for check in checks_of("dr") if not check.gate) - _NO_SUCH_RIGHTS - _NO_CENTRES,
    inapplicable=_NO_SUCH_RIGHTS | _NO_CENTRES,
)
_WRONG = Expected(
    fails={
        "the-link-has-bandwidth-to-spare": " B/s over ",
        "mirrors-have-three-copies": two_sites.THIN,
        "mirrors-need-copies-in-sync": "min.insync.replicas 1, 2 at sites",
        "the-standby-takes-the-largest-records": "max.message.bytes 1000",
        "rights-are-there-too": "missing on primary.orders: Deny Read for User:mallory",
        "quotas-are-there-too": "2000000 at sites-standby, 1000000 at sites",
        "schemas-are-there-too": "stands for another at sites-standby",
        "replication-back-runs-only-where-declared": two_sites.BACK,
        "the-flow-has-several-tasks": "tasks.max 1",
        "workers-share-the-copying": "tasks",
        "new-mirrors-get-three-copies": "replication.factor 1",
        "its-own-topics-have-three-copies": two_sites.OWN_WITH_ONE_COPY,
        "no-setting-is-dropped": "write producer.override.linger.ms",
        "the-flow-fetches-in-bulk": "fetch.min.bytes 2",
        "the-flow-writes-in-batches": "batch.size 99",
        "the-flow-compresses": "compression.type none",
        "the-flow-polls-as-declared": "max.poll.records 77",
        "positions-are-translated": "sync.group.offsets.enabled false",
        "groups-have-a-position-there": LATE,
        "no-position-is-copied-raw": "the mirror ends at",
        "groups-at-the-standby-read-both": READS_ONE,
        "standby-applications-keep-up": "empty, lag 0",
        "connectors-are-there-too": CONNECTOR,
        "the-failover-was-drilled": "1 drills; the last ended",
        "the-drill-kept-the-rpo": "40 acknowledged records were lost, 3600 s of writes; the RPO is 60 s",
        "the-drill-kept-the-rto": "no writes for 7200 s",
        "no-gate-was-gone-through-closed": "1 closed gates overruled, 1 steps skipped",
        "the-strategy-is-the-declared-one": two_sites.CARELESS,
        "nothing-is-lost-with-a-site": two_sites.CARELESS,
    },
    unknown=frozenset({"the-plan-is-known"}),  # what was signed off too long ago may be so all the same
)
_MISPLACED = Expected(
    fails={
        "the-link-has-promises": "no RPO is declared",
        "the-standby-is-whole": "[2] of [3] brokers respond",
        "the-standby-takes-writes": two_sites.NEEDS_ALL,
        "the-flow-is-there": "flows from other alias standby",
        "the-flow-has-several-workers": "[stray]: responds [true]",
        "mirrormaker-runs-at-the-standby": "sites-standby is",
        # The flow that is found there is the one back, which has what it was given and no more.
        "replication-back-runs-only-where-declared": two_sites.BACK,
        "nothing-flows-back-from-here": two_sites.BACK,
        "filters-take-what-is-meant": ("clicks", "orders", "declared true, matched by the filters false"),
        "the-flow-fetches-in-bulk": "fetch.min.bytes 1",
    },
    unknown=frozenset({"replication-keeps-its-promise"}),  # as nothing is promised
)
_OF_A_FILE = frozenset(
    {
        "no-setting-is-dropped",
        "the-flow-fetches-in-bulk",
        "the-flow-compresses",
        "new-mirrors-get-three-copies",
        "positions-are-translated",
        "names-are-as-declared",
        "replication-back-runs-only-where-declared",
        "the-flow-takes-the-largest-records",
    }
)
_NOT_IN_A_FILE = frozenset({"the-flow-runs"})  # a file says what is meant, not what runs
_BY_DEFAULT = {
    "no-state-of-applications-is-mirrored": mirrors.CHANGELOG,  # topics.exclude takes it, unless somebody gives another
}
"""What the file does not say, which leaves MirrorMaker with a default that does not do."""
_RIGHT_FILE = Expected(passes=_OF_A_FILE, fails=_BY_DEFAULT, unknown=_NOT_IN_A_FILE)
_WRONG_FILE = Expected(
    unknown=_NOT_IN_A_FILE,
    fails=_BY_DEFAULT
    | {
        "no-setting-is-dropped": "consumer.fetch.min.bytes",
        "the-flow-fetches-in-bulk": "fetch.min.bytes 3",
        "the-flow-compresses": "compression.type none",
        "new-mirrors-get-three-copies": "replication.factor 1",
        "positions-are-translated": "sync.group.offsets.enabled false",
        "names-are-as-declared": "identity",
        "replication-back-runs-only-where-declared": "standby",
        "nothing-flows-back-from-here": "standby->primary",
    },
)


@scene({"right": {"dr": _RIGHT}, "wrong": {"dr": _WRONG}})
def every_check(lab: LabState, folder: Path) -> Iterator[State]:
    """A Connect cluster of the primary's own and a registry at each site: as they should be, then in disorder."""
    with (
        two_sites.as_found(lab) as sites,
        two_sites.a_worker_at_the_primary(sites),
        two_sites.registries(sites),
        two_sites.restored(sites),
    ):
        two_sites.make_right(sites)
        inventory = told_when_right(sites, folder / "right")
        with two_sites.standing_by(sites.there):
            yield State("right", inventory, lambda: all_is_right(sites, folder / "right"), within=_BUSY)
        two_sites.make_wrong(sites)
        inventory = told_when_wrong(sites, folder / "wrong")
        yield State("wrong", inventory, lambda: as_much_as_can_be_is_wrong(sites, folder / "wrong"), within=_BUSY)


@scene({"misplaced": {"dr": _MISPLACED}})
def misplaced(lab: LabState, _folder: Path) -> Iterator[State]:
    """MirrorMaker is looked for at the primary's Connect, which has one worker; and the standby lacks a broker."""
    with (
        two_sites.as_found(lab) as sites,
        two_sites.a_worker_at_the_primary(sites),
        two_sites.put_in_place_after(sites),
    ):
        two_sites.misplace(sites)
        inventory = Inventory(sites)
        del inventory.link["promises"]
        [worker] = connect.workers_of(sites.here)
        inventory.give("connect", {"workers": {"stray": worker.url}}, inventory.there)
        yield State("misplaced", inventory.document, lambda: is_misplaced(sites), within=_BUSY)


@scene({"right": {"dr": _RIGHT_FILE}, "wrong": {"dr": _WRONG_FILE}})
def dedicated_mirrormaker(lab: LabState, folder: Path) -> Iterator[State]:
    """Both ends have a dedicated MirrorMaker's file and no Connect."""

    def claims(sites: Sites, file: Path, *, wrong: bool) -> Mapping[str, bool]:
        return {**says(file, wrong=wrong), **comes_through(sites.here)}

    with two_sites.as_found(lab) as sites:
        for name, wrong in (("right", False), ("wrong", True)):
            inventory = Inventory(sites)
            file = file_of_mirrormaker(sites, folder, wrong=wrong)
            for environment in (inventory.here, inventory.there):
                environment.pop("connect", None)
                environment["absent"]["connect"] = "MirrorMaker runs in its dedicated mode"
            inventory.give("files", {"mirror_maker": [str(file)]}, inventory.here, inventory.there)
            yield State(name, inventory.document, partial(claims, sites, file, wrong=wrong))


_STRANGERS = Expected(
    fails={"connect-works-with-this-cluster": ("{PRIMARY}", "{STANDBY}")},
)
_ONE_CLUSTER = Expected(
    fails={
        "the-standby-is-another-cluster": "{PRIMARY}",
        "mirrormaker-runs-at-the-standby": ("{PRIMARY}", "{STANDBY}"),
        # No topic of the primary has the name of a copy.
        "the-standby-can-be-read": "primary.payments",
        "topics-have-their-mirror": "primary.payments does not exist",
        "groups-have-a-position-there": "no committed offset in primary.orders",
        "the-flow-fetches-in-bulk": "fetch.min.bytes 1",  # as Kafka has it by itself
    },
    # What is not there is behind by as much as nobody knows, until its newest record is older than the promise.
    undetermined={"replication-keeps-its-promise": ("unknown", "fail")},
)


@scene({"workers": {"error-handling": _STRANGERS}, "clusters": {"dr": _ONE_CLUSTER}})
def taken_for_another(lab: LabState, _folder: Path) -> Iterator[State]:
    """The standby's workers are said to be the primary's; then both ends of the link are said to be the primary."""
    with two_sites.as_found(lab) as sites:
        words = {"PRIMARY": cluster_id(sites.here), "STANDBY": cluster_id(sites.there)}
        workers = [worker.url for worker in connect.workers_of(sites.there)]

        def claims() -> Mapping[str, bool]:
            return {
                "the clusters are two": cluster_id(sites.here) != cluster_id(sites.there),
                **{f"{url} is of the standby": is_of(url, sites.there) for url in workers},
            }

        inventory = Inventory(sites)
        inventory.give("connect", inventory.there["connect"], inventory.here)
        yield State("workers", {"environments": {"mixed": inventory.here}}, claims, words=words)
        inventory = Inventory(sites)
        inventory.there["kafka"] = inventory.here["kafka"]
        inventory.there["cluster_id"] = inventory.here["cluster_id"]
        yield State("clusters", inventory.document, claims, words=words)


SCENES = [every_check, misplaced, dedicated_mirrormaker, taken_for_another]
