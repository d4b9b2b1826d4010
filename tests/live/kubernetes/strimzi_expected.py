"""What kubernetes.md says of Strimzi's resources: as its owners should keep them, and as careless ones leave them."""

from typing import Final

from support.evidence.expected import Expected

CHECKS: Final = (
    "the-operator-is-content",
    "the-operator-is-not-paused",
    "no-deprecated-fields",
    "strimzi-takes-racks-from-zones",
    "declared-topics-get-three-copies",
    "declared-minimum-keeps-two-copies",
    "declared-inner-topics-get-three-copies",
    "declared-elections-are-clean",
    "no-declared-setting-is-dropped",
    "declared-brokers-are-enough",
    "declared-budget-lets-one-go",
    "authorities-are-renewed-in-time",
    "declared-clusters-export-metrics",
    "listeners-for-outside-are-guarded",
    "listeners-for-outside-are-encrypted",
    "listeners-inside-are-guarded",
    "declared-clusters-authorize",
    "anonymous-is-no-super-user",
    "declared-volumes-are-claims",
    "declared-claims-are-kept",
    "declared-nodes-ask-for-what-they-use",
    "declared-memory-leaves-room-beside-the-heap",
    "declared-topics-outlive-a-broker",
    "declared-topics-elect-cleanly",
    "declared-topics-have-three-copies",
    "declared-volumes-are-equal",
    "declared-rights-are-enforced",
    "every-user-finds-a-listener",
    "no-declared-user-may-change-everything",
    "topic-resources-have-a-topic-operator",
    "user-resources-have-a-user-operator",
    "declared-workers-are-several",
    "declared-workers-speak-tls",
    "no-two-groups-of-workers-are-one",
    "declared-connect-topics-have-three-copies",
    "declared-connectors-restart",
    "declared-connectors-drop-nothing-silently",
    "declared-mirrors-get-three-copies",
    "topics-and-users-are-as-declared",
    "connects-and-mirrors-are-as-declared",
    "no-resource-is-an-orphan",
    "nothing-of-strimzi-is-paused",
    "no-resource-is-warned-of",
)
ROUTES: Final = ("routes-have-a-router-of-their-own", "routes-pass-tls-through")
"""No lab has OpenShift's Routes; states that were kept before these checks were there were not asked for them."""
_EITHER: Final = ("pass", "fail")
_AS_RECORDED: Final = dict.fromkeys(
    (
        *("declared-super-users-are-principals", "declared-nodes-keep-apart", "declared-workers-log-in"),
        *("declared-workers-ask-for-what-they-use", "declared-workers-export-metrics"),
    ),
    _EITHER,
) | dict.fromkeys(ROUTES, ("not_applicable", "unknown"))
_BEFORE_CERTIFICATES: Final = {"authorities-in-force-last": ("pass", "not_applicable", "unknown")}
"""The status of the scene's Kafka resource showed no certificates when it was recorded."""
"""What the scene's own resources had wrong when it was recorded, and need not have.

They wrote `User:` before super users, which the operator does itself, kept no brokers apart by a template, a mirror
read its source in the clear, and Connect and mirrors logged in nowhere, asked for no memory and exported no metrics.
"""
CONTENT: Final = Expected(
    passes=frozenset(CHECKS) - {"declared-workers-speak-tls"},
    undetermined=_AS_RECORDED | _BEFORE_CERTIFICATES | {"declared-workers-speak-tls": _EITHER},
)
DISCONTENT: Final = Expected(
    fails=dict.fromkeys(CHECKS, "")
    | {
        "the-operator-is-content": "Unschedulable",
        "no-deprecated-fields": "DeprecatedFields",
        "strimzi-takes-racks-from-zones": "kubernetes.io/hostname",
        "topics-and-users-are-as-declared": "decreasing partitions",
        "no-resource-is-an-orphan": "Kafka order",
    },
    undetermined=_AS_RECORDED | _BEFORE_CERTIFICATES | {"anonymous-is-no-super-user": _EITHER},
)
