"""Checks of dr.md that no system shows to pass, or to fail, each with the reason."""

_WALKED = "a walk sees it, not a state that is kept: tests/live/sites/test_walked.py, where names are kept"
_SEEDED = "a walk sees it, not a state that is kept: tests/live/sites/test_reseeded.py"
_CENTRES = "a walk sees it, not a state that is kept: tests/live/zookeeper/test_walked_centres.py"
_NO_RIGHTS = "the ACLs of the lab's two sites let nobody write, and name no group"
_PLAYED = "seen to fail on two real sites, tests/records/played/first-2.md; no fault of the lab does it"
NEVER_PASS = {
    "applications-may-work-there": _NO_RIGHTS,
    "nothing-is-there-yet": _WALKED,
    "the-standby-holds-no-more": _WALKED,
    "the-flow-has-no-bound": _SEEDED,
    "rpo-0-is-no-accident": _CENTRES,
    "zookeeper-counts-each-vote": _CENTRES,
}
NEVER_FAIL = {
    "the-offset-syncs-topic-has-three-copies": "the lab makes that topic with three copies; cases show it",
    "no-source-topic-was-made-again": _PLAYED,
    "offset-syncs-topic-is-there": _PLAYED,
    "group-filters-take-what-is-meant": _PLAYED,
    "applications-may-work-there": _NO_RIGHTS,
    "the-standby-has-its-history": "no fault of the lab deletes a mirror that is then made again",
    "nothing-is-there-yet": _WALKED,
    "the-standby-holds-no-more": _WALKED,
    "the-flow-has-no-bound": _SEEDED,
    "rpo-0-is-no-accident": _CENTRES,
    "zookeeper-counts-each-vote": _CENTRES,
    "the-plan-is-known": "what nobody has signed off, or no longer, is unknown: it may be so all the same",
}
