"""What the probes see of the Strimzi platform that is well, as a bundle: the base of the cases about its resources.

`python -m support.strimzi_bundle` (with tests/ on the path) writes it anew.
"""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from runbook.evidence.bundle import FORMAT, Bundle, Kept, save_bundle
from runbook.model.ask import ask
from runbook.model.block import FactRequest
from runbook.parse.inventory import Environment
from runbook.plugins.catalog import catalog
from support.recorded_kubernetes import Played
from support.strimzi_played import platform

FILE: Final = Path(__file__).parents[1] / "cases" / "kubernetes" / "strimzi.json"
SEEN: Final = "2026-11-24T08:00:00.000Z"
PROBES: Final = [
    name for name in catalog("probes").names() if name.startswith("strimzi_") or name.endswith("_declaration")
]


def bundle(played: Played | None = None) -> Bundle:
    """The facts of every probe of Strimzi's resources, as from 24 November 2026."""
    played = played or platform()
    kept = [
        Kept(
            ask("strimzi", "kubernetes", FactRequest(probe), {}),
            {"": replace(played.observe(probe), collected_at=SEEN)},
        )
        for probe in PROBES
    ]
    absent = dict.fromkeys(("kafka", "zookeeper"), "only what Strimzi's resources say")
    environment = Environment(labels={"tier": "prod"}, objectives=["durability", "availability"], absent=absent)
    return Bundle(
        FORMAT, "", "strimzi", SEEN, {"strimzi": environment}, {"strimzi": ["kubernetes"]}, [], kept, typed_gaps=True
    )


if __name__ == "__main__":
    save_bundle(FILE, bundle())
