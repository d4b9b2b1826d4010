"""Records that compress as those of applications do: JSON events of orders, numbered and timed."""

import json
import random
import struct

HEAD = struct.Struct(">IQQ")
"""Before each payload: trial, number, and when it was due, in ns of this machine's monotonic clock."""

_DIFFERENT = 500
_SEED = 51
_WORDS = ["alder", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "willow", "yew"]
_STATES = ["created", "paid", "packed", "shipped", "delivered", "returned"]


def payloads(size: int) -> list[bytes]:
    """Records without their heads, each of that size with it: the same ones in every run."""
    chosen = random.Random(_SEED)  # noqa: S311 - no secret: the same records every time
    return [_event(chosen, size - HEAD.size) for _ in range(_DIFFERENT)]


def _event(chosen: random.Random, size: int) -> bytes:
    event = {
        "order_id": f"{chosen.getrandbits(128):032x}",
        "customer": f"c-{chosen.randrange(10**6):06}",
        "at": f"2026-11-{chosen.randrange(1, 29):02}T{chosen.randrange(24):02}:{chosen.randrange(60):02}:00Z",
        "status": chosen.choice(_STATES),
    }
    lines: list[dict[str, object]] = []
    while len(text := json.dumps(event | {"lines": lines}).encode()) < size:
        name = " ".join(chosen.sample(_WORDS, 2))
        line = {"sku": f"{chosen.getrandbits(40):010x}", "name": name, "quantity": chosen.randrange(1, 9)}
        lines.append(line | {"cents": chosen.randrange(99, 99_999)})
    return text[:size]
