"""What of the inventory a walk is about, and whether it is another when the walk goes on.

A walk may go on over an inventory that was corrected meanwhile, and often has to; who reads its record is to know.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from runbook.parse.inventory import Inventory
from runbook.procedure.walk_record import Begun, Entry, Resumed

_TWO: Final = 2  # states of an inventory that are compared


def parts_of(inventory: Inventory, environment: str, source: str = "") -> dict[str, str]:
    """Part of an inventory that a walk is about → its SHA-256: its environments, and the mirrors between two.

    Of each part what is written there, with secrets as references: so that a newer release sees no change in it. A
    bundle, in whose place nothing was written, has none.

    Args:
        inventory: as it is now.
        environment: where the walk is; of two, the one that takes over.
        source: the one that is left.
    """
    written = inventory.document.value or {}
    ends = [name for name in (source, environment) if name in written.get("environments", {})]
    parts = {f"environment {name}": written["environments"][name] for name in ends}
    for link in written.get("mirrors", []):
        if {link["from"], link["to"]} == {*ends}:
            parts[f"mirror {link['from']}→{link['to']}"] = link
    return {name: _digest(part) for name, part in parts.items()}


def changed_inventory(entries: Sequence[Entry]) -> list[str]:
    """The parts that are others in the last of these entries, by which a walk goes on, than when it was at work before.

    Nothing is said of a walk whose record does not tell how they were.
    """
    known = [entry.inventory for entry in entries if isinstance(entry, Begun | Resumed)]
    if len(known) < _TWO or not known[-1] or not known[-2]:
        return []
    before, now = known[-2:]
    return [
        name + (" (new)" if name not in before else " (gone)" if name not in now else "")
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]


def _digest(part: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(part, enc_hook=str, order="deterministic")).hexdigest()
