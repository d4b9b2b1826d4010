"""The checks of consumers.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

_SEEN: Final = (
    "every-group-that-owes-has-members",
    "groups-read-as-fast-as-is-written",
    "no-group-stands-still",
    "nothing-was-deleted-unread",
)
_PASSED: Final = (
    "every-member-has-work",
    "every-partition-that-is-read-has-an-owner",
    "no-group-is-ahead-of-its-log",
    "what-is-unread-is-kept",
)
_UNKEPT: Final = "seen by hand on a lab with groups that read all the time, whose evidence is not kept yet"

NEVER_PASS: Final = {
    **dict.fromkeys((*_SEEN, *_PASSED), _UNKEPT),
    "new-groups-have-time-to-gather": "brokers of labs do not wait, so that groups of tests start at once; to change "
    "it takes a restart",
}
NEVER_FAIL: Final = {
    **dict.fromkeys(_SEEN, _UNKEPT),
    **dict.fromkeys(_PASSED, "no fault of a lab brings it about yet"),
    "consumers-bear-records-twice": "what nobody has signed off, or no longer, is unknown: it may be so all the same",
}
