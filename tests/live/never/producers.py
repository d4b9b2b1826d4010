"""The checks of producers.md that no live system shows to pass, or to fail; stored facts do. Check → why."""

from typing import Final

_RANKED: Final = {
    "only-expendable-records-are-sent-with-acks-0": "it holds where durability does not rank first; labs rank it so",
}
_NEW: Final = {
    "no-key-is-in-several-partitions": "the scene of producers was kept before it: its inventory names no topics",
    "producers-rebootstrap": "the scene of producers was kept before it: it names no libraries for it",
}
NEVER_PASS: Final = {**_RANKED, **_NEW}
NEVER_FAIL: Final = {
    **_RANKED,
    **_NEW,
    "transactional-ids-outlive-a-pause": "seen to fail on a real cluster, tests/records/played/second-3.md, 4; no "
    "fault of the lab sets it",
    "brokers-verify-transactions": "seen to fail on a real cluster, by a dynamic value; no fault of the lab sets it",
    "transactions-end-within-their-timeout": "coordinators look every 10 s, so that a transaction is open past its "
    "timeout for seconds only, unless one of its partitions has no leader: no fault of a lab brings that about yet",
}
