"""Which checks of testing.md no kept state shows to pass, or to fail, and where they were seen instead."""

from typing import Final

_HAND: Final = "seen by hand on Kafka 4.3, tests/records/draws/seen-by-hand.md"
_SIGNED: Final = "a sign-off that is missing or has expired leaves it unknown: it can't fail"
NEVER_PASS: Final = {
    "clients-bear-leader-changes": _HAND,
    "deployed-clients-use-a-real-registry": _HAND,
    "load-tests-are-signed-off": _HAND,
    "the-reference-load-was-reached": _HAND,
    "the-test-topic-is-empty": _HAND,
    "upgrades-are-rehearsed": _HAND,
}
NEVER_FAIL: Final = NEVER_PASS | {"load-tests-are-signed-off": _SIGNED, "upgrades-are-rehearsed": _SIGNED}
