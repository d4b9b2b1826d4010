"""What changed while real systems had a fault: its entity stands in the first lines; once healed, nothing is left."""

from collections.abc import Mapping

import pytest

from runbook.changes.difference import Comparison
from runbook.run.diagnosis.comparison import Differing, compare
from runbook.show.diff import as_text
from support.evidence import record

pytestmark = pytest.mark.kept
FIRST = 3  # changes in which the entity must be named

FAULTS: Mapping[str, tuple[str, ...]] = {
    "plain/stop-broker": ("broker 2: ", "answers true → false"),
    "plain/freeze-broker": ("broker 3: ", "answers true → false", "did not answer in"),
    "plain/lose-quorum": ("broker 2: ", "broker 3: "),
    "plain/lose-rack": ("broker 3: ", "in_service true → false"),
    "plain/unsafe-topic": ("new", "(audit, invoices, sessions)", "9 rows of kafka_partition"),
    "plain/unsafe-broker-settings": ("unclean_leader_election false → true", "min_insync_replicas 2 → 1"),
    "plain/skew-leadership": ("leader 2 → 1", "leader 3 → 1"),
    "plain/shrink-isr": ("follower.replication.throttled.rate", "topic payments"),
    "proxied/misdirect-broker": ("broker 3: ", "at its address broker 1 answers"),
    "proxied/mute-metadata": ("broker 1: ", "answers true → false"),
    "secure/wildcard-super-user": ("host kafka-2", "super_users +[User:*]"),
    "secure/allow-all-acl": ("new", "principal User:*", "operation All"),
    "secure/anonymous-allowed": ("allow.everyone.if.no.acl.found false → true",),
    "secure/expiring-certificate": ("endpoint", "not_after", "(tls_certificate)"),
    "secure/old-tls": ("protocols +[TLSv1, TLSv1.1]",),
    "secure/open-listener": ("new", "broker 3, listener OPEN"),
    "secure/no-quotas": ("gone", "every user", "producer_byte_rate"),
    "kubernetes/crash-loop": ("pod kafka-2, namespace kafka: ", "CrashLoopBackOff"),
    "kubernetes/out-of-memory": ("pod kafka-2, namespace kafka: ", "OOMKilled"),
    "kubernetes/node-not-ready": ("node kafka-2-az-b: ", "ready true → false"),
    "kubernetes/no-budget": ("gone", "budget kafka"),
    "kubernetes/host-path": ("new", "pod kafka-by-hand-9"),
    "hosts/neglect-host": ("host kafka-3: ", "swappiness 1 → 60"),
    "measured/a-logger-at-debug": ("logger kafka.request.logger: level INFO → DEBUG",),
    "ecosystem/frozen-registry": ("mode READWRITE → READONLY",),
    "ecosystem/incompatible-schema": ("new", "subject orders-value"),
    "ecosystem/stop-connect-worker": ("server connect-2: answers true → false",),
    "ecosystem/poison-pill": ("connector refunds-archive", "topic refunds"),
    "ecosystem/unsafe-registry-topic": ("topic kafkasql-journal: replication_factor 3 → 1",),
}
"""Scene → what its first changes say; of one environment each."""

OF_AGE = {"late"}
"""Columns that depend on how long ago something was written, and so on how long a scene took, healed or not."""

OUTLASTED: Mapping[str, tuple[str, ...]] = {
    # One group was looked at while it still rebalanced.
    "ecosystem/dead-letters-arrived": ("went", "state", "members"),
    "files/tiny-heap": ("controller",),  # its broker is restarted, the controller of that time
    "ecosystem/no-dead-letter-queue": ("went",),
    "ecosystem/incompatible-schema": ("came",),  # a schema that is deleted keeps its id
    # Its tasks went elsewhere, and their groups were looked at while they still rebalanced.
    "ecosystem/stop-connect-worker": ("worker", "went", "came", "state", "members"),
    # The registry begins anew with another consumer group, and the one of before was looked at before it was empty.
    "ecosystem/stop-registry": ("came", "state", "members"),
    "ecosystem/poison-pill": ("state", "members"),  # the same, of a start before
    "tiered/lose-remote-store": ("came",),  # the group of the consumer that reads from the beginning
    # A reader that was started anew has another member id.
    **dict.fromkeys(
        [
            f"groups/{scene}"
            for scene in (
                "changed-format",
                "crashing-member",
                "hasty-retention",
                "killed-reader",
                "killed-share-reader",
                "rewound-group",
                "slow-reader",
                "stuck-reader",
                "too-many-members",
            )
        ],
        ("member",),
    ),
    # Its reader had begun anew, and the session of the one before had not ended.
    "groups/lost-coordinator": ("member", "controller", "members", "protocol", "state"),
    "groups/skewed-keys": ("came",),  # its topic
    "hosts/stop-broker": ("pid", "controller"),
    # Which broker it is that controls and leads first is chance.
    **dict.fromkeys(["plain/freeze-broker", "plain/lose-quorum", "plain/stop-broker"], ("controller", "leader")),
    "plain/format-voter": ("controller", "leader", "directory"),  # the disk is another one
    "hosts/full-disk": ("pid", "controller", "leader"),
    "measured/stop-broker": ("started", "started_ms", "active", "controller"),  # it may have been the active controller
    "kubernetes/node-not-ready": ("taints",),  # Kubernetes takes its second taint away a little later
    "secure/weak-scram": ("came",),  # the user `legacy` stays, with a strong hash
    # Brokers are restarted, with the fault and to heal it; which of them controls and leads first is chance.
    **dict.fromkeys(
        [
            f"secure/{scene}"
            for scene in (
                "anonymous-allowed",
                "expired-certificate",
                "expiring-certificate",
                "old-tls",
                "open-listener",
                "self-signed-certificate",
                "wildcard-super-user",
                "wrong-name-certificate",
            )
        ],
        ("started", "controller", "leader"),
    ),
    "sites/lose-primary": ("controller", "leader"),
    "stretched/lose-data-centre": ("controller", "leader"),
    "zookeeper/stop-zookeeper": ("state", "leaders"),  # which server leads is chance
}
"""Scene → columns that a healed fault leaves otherwise than they were, or that rows went or came, with the reason."""


def between(scene: str, before: str, after: str) -> list[Comparison]:
    """What changed between two states of a scene."""
    old, new = (record.read(record.place_of(*scene.split("/"), state)).bundle for state in (before, after))
    return compare(Differing(old=old, new=new))


@pytest.mark.parametrize("scene", FAULTS)
def test_the_first_changes_name_what_the_fault_was_done_to(scene: str) -> None:
    [found] = between(scene, "before", "during")
    text = " ".join(as_text(found, FIRST).partition("not known whether")[0].split())
    assert [word for word in FAULTS[scene] if word not in text] == [], text


HEALED = ["/".join(file.parts[-3:-1]) for file in record.kept() if file.name == "after.raw.xz"]


@pytest.mark.parametrize("scene", HEALED)
def test_once_it_is_healed_nothing_has_changed_but_what_outlasts_it(scene: str) -> None:
    found = between(scene, "before", "after")
    changed = {
        *(cell.column for comparison in found for change in comparison.changes for cell in change.cells),
        *(change.kind for comparison in found for change in comparison.changes if change.kind != "changed"),
    }
    assert changed - OF_AGE - {*OUTLASTED.get(scene, ())} == set()
    assert sum(comparison.rows for comparison in found) > 0
    # Of a group that is one offset behind, where transactions are in use, the last may be a marker: late is unknown.
    assert {one.columns for comparison in found for one in comparison.unseen} <= {("late",)}
