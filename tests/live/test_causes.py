"""Causes are told from what was seen of real faults: the one that was injected, and no other; healing proves it."""

import pytest

from support.evidence.diagnosed import compare, diagnoses, ids, runbooks_of
from support.evidence.scene import scenes_of, shapes

pytestmark = [pytest.mark.kept, pytest.mark.xdist_group("kept")]

NEEDS = {"ha": "kafka_broker"}  # without it nothing that this runbook says of causes can be seen

_MOVED = "replicas-are-being-moved"  # a part of the layouts, made so that losses of partitions in motion are foretold
_ONE_COPY = "topics-have-one-copy"  # on purpose, as are those that acknowledge what one broker has
_ONE_IN_SYNC = "topics-acknowledge-what-one-broker-has"
_BOTH = "topics-have-two-replicas-and-need-both"
_ALL = "topics-need-all-their-replicas"
_OF_LAYOUTS = [_MOVED, _ONE_COPY, _ONE_IN_SYNC, _BOTH, _ALL]
NAMED = {
    "ha": {
        "hosts/full-disk/during": ["log-directory-is-nearly-full"],
        "layouts/lose-1/before": _OF_LAYOUTS,
        "layouts/lose-1-2/before": _OF_LAYOUTS,
        "layouts/lose-1-4/before": _OF_LAYOUTS,
        "layouts/lose-1-after-4/before": ["broker-is-down", _ONE_COPY, _MOVED, _ONE_IN_SYNC],
        "layouts/lose-1-with-frozen-4/before": ["broker-is-down", _ONE_COPY, _MOVED, _ONE_IN_SYNC],
        "layouts/lose-2/before": _OF_LAYOUTS,
        "layouts/lose-2-after-4/before": ["broker-is-down", _ONE_COPY, _MOVED, _ONE_IN_SYNC],
        "layouts/lose-3/before": _OF_LAYOUTS,
        "layouts/lose-3-4/before": _OF_LAYOUTS,
        "layouts/lose-4/before": _OF_LAYOUTS,
        "layouts_in_zookeeper_mode/lose-1/before": _OF_LAYOUTS,
        "layouts_in_zookeeper_mode/lose-1-with-frozen-3/before": ["broker-is-down", _ONE_COPY, _MOVED, _ONE_IN_SYNC],
        "layouts_in_zookeeper_mode/lose-2-3/before": _OF_LAYOUTS,
        "layouts_in_zookeeper_mode/lose-2-after-3/before": ["broker-is-down", _ONE_COPY, _MOVED, _ONE_IN_SYNC],
        "layouts_in_zookeeper_mode/lose-3/before": _OF_LAYOUTS,
        "measured/a-broker-hangs/through-jolokia": ["broker-is-down"],
        "measured/a-broker-hangs/through-pages": ["broker-is-down"],
        "measured/stop-broker/during": ["broker-is-down"],
        "plain/freeze-broker/during": ["broker-is-down"],
        "plain/format-voter/during": ["voter-has-another-disk"],
        "plain/lose-quorum/during": ["no-controller-is-active"],
        "plain/lose-rack/during": ["broker-is-down"],  # each rack of that lab has one broker
        "plain/no-copy-eligible/during": ["no-replica-may-lead"],
        "plain/shrink-isr/during": [_MOVED],
        "plain/stop-broker/during": ["broker-is-down"],
        "plain/three-zones/wrong": [_ONE_COPY, _ALL],
        "plain/three-zones/wrong-availability-first": [_ONE_COPY, _ALL],
        "plain/unregister-broker/during": ["broker-is-not-registered"],
        "plain/unresolved-name/during": ["broker-name-does-not-resolve"],
        "plain/unsafe-broker-settings/during": [_ONE_IN_SYNC],
        "plain/unsafe-topic/during": [_ONE_COPY, _ALL, _ONE_IN_SYNC],
        "proxied/lose-sight/during": ["broker-is-out-of-our-reach", "broker-is-out-of-our-reach"],
        "proxied/misdirect-broker/during": ["broker-address-leads-elsewhere"],
        "proxied/mute-metadata/during": ["broker-is-out-of-our-reach"],
        "proxied/slow-broker/during": ["broker-is-slow"],
        "sites/every-check/wrong": [_ONE_COPY],
        "stretched/lopsided-topics/during": [_BOTH],
        "stretched/lose-data-centre/during": ["broker-is-down", "broker-is-down"],
        "stretched/what-is-foretold-of-west/before": [_BOTH],
        "zookeeper/freeze-zookeeper/during": ["zookeeper-server-is-down"],
        "zookeeper/leaked-sessions/asked-from-there": ["zookeeper-closes-our-connections", "broker-is-down"],
        "zookeeper/leaked-sessions/used-up": ["zookeeper-connections-are-used-up", "broker-is-down"],
        "zookeeper/lose-ensemble/during": ["zookeeper-has-no-majority"],
        "zookeeper/stop-zookeeper/during": ["zookeeper-server-is-down"],
    },
    "capacity": {
        "tiered/lose-remote-store/during": ["the-remote-store-refuses"],
    },
    "schema-governance": {
        "ecosystem/a-schema-is-proposed/bad": ["proposal-breaks-the-level"],
        "ecosystem/everything-wrong/wrong": [
            "registry-instance-is-silent",
            "instances-are-of-two-registries",  # its instances tell other levels: whose NONE it is, is not known
            "proposal-breaks-the-level",
            "registry-takes-no-schemas",
        ],
        "ecosystem/frozen-registry/during": ["registry-takes-no-schemas"],
        "ecosystem/no-compatibility/during": ["registry-guards-nothing"],
        "ecosystem/stop-registry/during": ["registry-instance-is-silent"],
    },
    "error-handling": {
        "ecosystem/dead-letters-arrive/arriving": ["a-sink-meets-records-it-cant-read"],
        "ecosystem/dead-letters-arrived/by-hand": ["a-sink-meets-records-it-cant-read"],
        "ecosystem/dead-letters-arrived/during": ["a-sink-meets-records-it-cant-read"],
        "ecosystem/everything-wrong/hidden": [
            "connect-worker-is-silent",
            "a-record-stops-a-task",
            "a-sink-meets-records-it-cant-read",
            "group-has-lag-and-no-members",
            "a-sink-meets-records-it-cant-read",
        ],
        "ecosystem/everything-wrong/left-alone": ["group-has-lag-and-no-members"],
        "ecosystem/everything-wrong/wrong": [
            "a-record-stops-a-task",
            "a-sink-meets-records-it-cant-read",
            "group-has-lag-and-no-members",
            "a-sink-meets-records-it-cant-read",
        ],
        "ecosystem/no-dead-letter-queue/dropped": ["a-sink-meets-records-it-cant-read"],
        "ecosystem/poison-pill/during": [
            "a-record-stops-a-task",
            "group-has-lag-and-no-members",
        ],  # of the sink, its last task
        "ecosystem/stop-connect-worker/during": ["connect-worker-is-silent"],
    },
    "consumers": {
        "groups/changed-format/during": ["a-group-stands-still-in-several-partitions"],
        "groups/crashing-member/during": ["a-group-rebalances-without-end"],
        "groups/hanging-transaction/during": ["a-transaction-holds-a-partition"],
        "groups/held-by-quota/held": ["a-quota-limits-a-group-that-falls-behind"],
        "groups/hasty-retention/during": ["records-go-before-they-are-read"],
        "groups/killed-reader/during": ["group-has-lag-and-no-members"],
        "groups/killed-share-reader/during": ["group-has-lag-and-no-members"],
        "groups/lost-coordinator/during": ["groups-have-no-coordinator"],
        "groups/rewound-group/during": ["a-group-is-set-back"],
        "groups/slow-reader/during": ["a-group-reads-too-slowly"],
        "groups/stuck-reader/during": ["a-partition-stands-still"],
        "groups/too-many-members/during": ["more-members-than-partitions"],
        "plain/files-of-consumers/right": ["more-members-than-partitions"],  # two files, and a topic of one partition
        "plain/files-of-consumers/wrong": [
            "more-members-than-partitions",
            "session-is-refused",
            "assignors-have-none-in-common",
        ],
    },
    "dr": {
        "sites/cut-link/during": ["nothing-comes-through"],
        "sites/every-check/wrong": [_ONE_COPY, _ONE_COPY],  # at either end
        "sites/fail-mirror-task/during": ["flow-task-has-failed"],
        "sites/dedicated-mirrormaker/wrong": ["source-connector-names-mirrors-otherwise"],
        "sites/lose-primary/during": ["no-broker-of-the-primary-answers"],
        "sites/mirror-loop/during": ["source-connector-names-mirrors-otherwise"],  # of one of its three flows
        "sites/misplaced/misplaced": ["topic-asks-for-all-copies"],  # at the standby, which then takes no writes
        "sites/moving/done": ["flow-was-halted"],  # by the procedure that moves consumers and producers
        "sites/moving/half-way": ["flow-was-halted"],  # both connectors of it
        "sites/no-checkpoints/during": ["flow-was-halted"],
        "sites/slow-link/during": ["nothing-comes-through"],
        "sites/stop-mirror/during": ["flow-was-halted"],
    },
    "gc": {
        "files/tiny-heap/during": ["heap-is-too-small"],
        "jvm/small-heap-g1/ended": ["heap-is-too-small"],
        "jvm/small-heap-parallel/ended": ["heap-is-too-small"],
        "jvm/small-heap-serial/ended": ["heap-is-too-small"],
    },
    "kubernetes": {
        "kubernetes/blocking-budget/during": ["disruption-budget-allows-no-eviction"],
        "kubernetes/crash-loop/during": ["pod-ends-again-and-again"],
        "kubernetes/host-path/during": ["bare-pod-has-broker-labels"],
        "kubernetes/no-budget/during": ["brokers-are-under-no-budget"],
        "kubernetes/node-not-ready/during": ["node-of-a-broker-is-lost"],
        "kubernetes/out-of-memory/during": ["pod-was-killed-for-its-memory"],
        "kubernetes/second-budget/during": ["pods-are-under-two-budgets"],
        "kubernetes/toothless-budget/during": ["budget-lets-several-go"],
        "kubernetes/what-strimzi-says/discontent": ["reconciliation-is-paused"],
    },
    "observability": {
        "measured/a-broker-hangs/through-jolokia": ["broker-is-down"],
        "measured/a-broker-hangs/through-pages": ["broker-is-down"],
        "measured/stop-broker/during": ["broker-is-down"],
    },
    "os-hardware": {
        "hosts/each-host-has-faults-of-its-own/each-another": [
            "kernel-settings-are-not-in-force",
            "limit-of-files-did-not-reach-the-process",
        ],
        "hosts/neglect-host/during": ["kernel-settings-are-not-in-force"],
        "hosts/skew-clock/during": ["clock-is-wrong"],
        # No file of a stand-in reaches its processes: they have the limits of the machine that it runs on.
        "stand_in_hosts/files-of-a-host/right": ["limit-of-files-did-not-reach-the-process"],
        "stand_in_hosts/troubles-of-many-hosts/together": [
            "kernel-settings-are-not-in-force",
            "limit-of-files-did-not-reach-the-process",
        ],
    },
    "security": {
        "secure/a-broker-that-lets-anybody-in/wrong": [
            "certificate-has-expired",
            "certificate-is-not-trusted",
            "certificate-names-another-host",
        ],
        "secure/allow-all-acl/during": ["an-acl-opens-everything-to-all-users"],
        "secure/expired-certificate/during": ["certificate-has-expired"],
        "secure/expiring-certificate/during": ["certificate-ends-soon"],
        "secure/rights-and-quotas/wrong": ["a-deny-takes-a-right"],
        "secure/replacing/moved": ["an-acl-opens-everything-to-all-users"],  # the procedure's own, while ACLs are moved
        "secure/self-signed-certificate/during": ["certificate-is-not-trusted"],
        "secure/wrong-name-certificate/during": ["certificate-names-another-host"],
    },
    "topics": {
        "groups/skewed-keys/during": ["one-key-has-most-records"],
        "plain/topics-of-every-kind/wrong": [
            "one-order-is-in-several-partitions",
            "records-have-times-that-lie-ahead",
            "records-have-times-that-lie-ahead",
            "topics-keep-everything",
            "one-key-has-most-records",
        ],
    },
    "topologies": {
        "plain/three-zones/wrong": [_ONE_IN_SYNC, _ALL, _ONE_COPY],
        "plain/three-zones/wrong-availability-first": [_ONE_IN_SYNC, _ONE_COPY, _ALL],
        "sites/every-check/wrong": [_ONE_COPY],
        "stretched/lopsided-topics/during": [_BOTH],
        "stretched/lose-data-centre/during": ["data-centre-is-lost"],
        "stretched/what-is-foretold-of-west/before": [_BOTH],
    },
}
"""Runbook → state → the causes that hold in it and follow from no other, in the order in which they are told."""

SILENT = {
    "anonymous-allowed": "one setting of one file: the check names it",
    "incompatible-schema": "who registered it, and how it came past the level, no fact tells",
    "lose-requests": "what is lost by chance leaves everything unknown, the cluster's name with it",
    "mirror-drift": "the copies were changed by hand: two checks name the two of them",
    "mirrored-changelog": "which filter lets it through a person has to say: two checks name the topic",
    "no-quotas": "nobody is limited: the check names what is missing",
    "old-tls": "one setting of one JVM: the check names it",
    "one-zone": "in which zones nodes should stand no fact tells: the check names the one",
    "open-listener": "whether a listener is meant for outsiders stands in a parameter: two checks name it",
    "open-znodes": "one setting: the check names it",
    "plain-secret": "one setting of one connector: the check names it",
    "raw-records": "which producer wrote them no fact tells",
    "skew-leadership": "why leaders are where they are no fact tells, as nobody is down",
    "unmirrored-topic": "why the filter leaves it out no fact tells: three checks name the topic",
    "unsafe-connect-topics": "settings of topics: each check names its own",
    "unsafe-registry-topic": "one setting of one topic: the check names it",
    "weak-scram": "one user's password: the check names it",
    "wildcard-super-user": "one setting of one file: the check names it",
}
"""Fault → why no cause of it is named: facts can't tell, or the check that fails says it all."""

LEFT = {
    "ecosystem/dead-letters-arrived": {"dead-letters-are-watched": "the scene declares no alert while they arrive"},
    "groups/hasty-retention": {
        "what-is-unread-is-kept": "of groups that keep up nothing is lost, and seconds are left"
    },
    "hosts/full-disk": {
        "leaders-are-the-preferred-ones": "the fault restarts the broker; once healed, ha was not looked at",
        "work-is-spread-evenly": "the same",
    },
    "hosts/neglect-host": {"huge-pages-come-on-request": "a second fault, of a setting that stands in no file"},
    "plain/format-voter": {
        "leaders-are-the-preferred-ones": "the fault restarts the broker, and healing elects preferred leaders",
        "work-is-spread-evenly": "the same",
    },
    "plain/no-copy-eligible": {
        "leaders-are-the-preferred-ones": "the fault restarts a broker, and healing elects preferred leaders",
        **dict.fromkeys(
            (
                "any-one-broker-may-fail",
                "any-one-rack-may-fail",
                "durable-topics-need-two-in-sync",
                "maintenance-and-a-failure-lose-nothing",
                "replicas-are-on-three-brokers",
                "topics-have-a-second-copy",
            ),
            "the topic has one copy, which is a fault of its own: healing gives it three",
        ),
    },
    "plain/unsafe-broker-settings": dict.fromkeys(
        ("brokers-agree", "no-unclean-elections-where-data-matters", "unclean-elections-are-off-by-default"),
        "other settings that the fault changes as well: each check names its own",
    ),
    "plain/unsafe-topic": dict.fromkeys(
        ("durable-topics-need-two-in-sync", "no-unclean-elections-where-data-matters"),
        "three topics with faults of several kinds: each cause undoes its own",
    ),
    "plain/unresolved-name": {
        "leaders-are-the-preferred-ones": "the fault restarts the broker, and healing elects preferred leaders",
    },
    "stretched/lopsided-topics/topologies": dict.fromkeys(
        ("acknowledged-records-are-in-two-data-centres", "each-of-two-data-centres-has-two-copies"),
        "four topics that lie otherwise: the cause is of the one with two replicas",
    ),
    "sites/mirror-loop": dict.fromkeys(
        ("no-mirror-of-a-mirror-of-ones-own", "nothing-flows-back-from-here", "nothing-goes-round"),
        "which of the flows was not meant no fact tells: each check names what goes round",
    ),
    "sites/fail-mirror-task": {"the-flow-takes-the-largest-records": "the limit that the fault sets goes with it"},
}
"""Scene, or scene and runbook → checks that no cause explains and that pass once it is healed → why."""

STATES = [
    (scene.shape, scene.name, state) for shape in shapes() for scene in scenes_of(shape) for state in scene.states
]
SEEN = [
    pytest.param(*where, runbook, id="/".join((*where, runbook)))
    for where in STATES
    for runbook in runbooks_of(*where, needs=NEEDS)
]
HEALED = [
    pytest.param(*state.split("/")[:2], runbook, id=f"{state}/{runbook}")
    for runbook, states in NAMED.items()
    for state in states
    if state.endswith("/during")
]


@pytest.mark.parametrize(("shape", "scene", "state", "runbook"), SEEN)
def test_the_cause_is_the_fault_and_where_there_is_none_none_is_named(
    shape: str, scene: str, state: str, runbook: str
) -> None:
    causes = [cause.cause for said in diagnoses(shape, scene, state, runbook) for cause in said.named]
    known = NAMED.get(runbook, {})
    assert [cause.rpartition("/")[2] for cause in causes] == known.get(f"{shape}/{scene}/{state}", [])


@pytest.mark.parametrize(("shape", "scene", "runbook"), HEALED)
def test_once_healed_what_was_explained_does_not_fail_and_what_was_not_does(
    shape: str, scene: str, runbook: str
) -> None:
    compared = compare(shape, scene, runbook)
    assert compared.explained_and_failing == []
    left = LEFT.get(f"{shape}/{scene}/{runbook}", LEFT.get(f"{shape}/{scene}", {}))
    assert ids(compared.left_and_passing) == {*left}


@pytest.mark.parametrize(("shape", "scene", "runbook"), HEALED)
def test_what_is_unknown_because_of_the_cause_is_known_once_it_is_healed(shape: str, scene: str, runbook: str) -> None:
    assert compare(shape, scene, runbook).withheld_and_unknown == []


def test_each_fault_has_a_cause_that_is_named_or_a_reason_why_none_is() -> None:
    named = {state.rpartition("/")[0] for states in NAMED.values() for state in states}
    faults: dict[str, bool] = {}
    for shape in shapes():
        for scene in scenes_of(shape):
            for fault in scene.faults if len(scene.faults) == 1 else ():
                faults[fault] = faults.get(fault, False) or f"{shape}/{scene.name}" in named
    assert {fault for fault, found in faults.items() if not found} == SILENT.keys()


def test_a_stopped_broker_explains_all_that_fails() -> None:
    [said] = diagnoses("plain", "stop-broker", "during", "ha")
    [cause] = said.named
    assert ids(cause.explains) >= {"every-replica-is-in-sync", "no-broker-is-fenced", "any-one-broker-may-fail"}
    assert {effect.label: effect.says for effect in said.effects}.keys() == {"now", "next"}
    assert cause.procedure == "ha/bring-a-broker-back"


def test_brokers_that_refuse_connections_follow_from_a_lost_majority() -> None:
    [said] = diagnoses("plain", "lose-quorum", "during", "ha")
    [quorum] = said.named
    beneath = [cause for cause in said.causes if cause.beneath]
    assert {cause.cause for cause in beneath} == {"ha/broker-refuses-connections"}
    assert ids(quorum.explains) == {"every-broker-answers"}  # which cluster it is was told, and stays so
    assert {cause.beneath for cause in beneath} == {quorum.says}


def test_of_a_move_that_stands_still_the_throttle_is_told_and_how_to_go_on() -> None:
    [said] = diagnoses("plain", "shrink-isr", "during", "ha")
    [cause] = said.named
    assert any(": 1 bytes/s" in line for line in cause.proof)
    assert "--describe --topic-list payments" in cause.first
    assert cause.procedure == "ha/finish-a-move-that-stands-still"
