"""The checks of consumers.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

NEVER_PASS: Final = {
    "new-groups-have-time-to-gather": "brokers of labs do not wait, so that groups of tests start at once; to change "
    "it takes a restart",
}
_PASSED: Final = ("no-group-is-ahead-of-its-log", "what-is-unread-is-kept")
NEVER_FAIL: Final = {
    **dict.fromkeys(_PASSED, "no fault of a lab brings it about yet"),
    "every-partition-that-is-read-has-an-owner": "every assignor that clients come with gives each partition to "
    "somebody",
    "consumers-bear-records-twice": "what nobody has signed off, or no longer, is unknown: it may be so all the same",
}
