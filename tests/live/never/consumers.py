"""The checks of consumers.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

NEVER_PASS: Final = {
    "new-groups-have-time-to-gather": "brokers of labs do not wait, so that groups of tests start at once; to change "
    "it takes a restart",
}
NEVER_FAIL: Final = {
    "consumers-bear-records-twice": "what nobody has signed off, or no longer, is unknown: it may be so all the same",
}
