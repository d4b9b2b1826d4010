"""What made a piece of evidence: when any of it changes, the evidence is stale and has to be made anew.

Comments and docstrings are no part of it, nor are the rooms that only judge and report: judging runs on the evidence
each time.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any, Final

import msgspec
from msgspec import Struct

from runbook.plugins.catalog import catalog
from support.evidence.code import closure, meaning_of, taking_part
from support.evidence.scene import Scene, shape_of

_FAULTS: Final = ("kafka_lab.faults", "kafka_lab.kubernetes.faults")
"""Where the code of faults is."""
_SCENES: Final = ("live", "support")
"""Where the code of scenes and of the labs they are played on is."""
_OBSERVING: Final = ("runbook.probes", "runbook.connections", "runbook.formats")
"""The rooms whose code decides what facts say."""
_CLIENTS: Final = {
    "kafka": ("confluent-kafka", "kafka-python"),
    "records": ("kafka-python",),
    "ssh": ("paramiko",),
    "kubernetes": ("kubernetes",),
    "tls": ("cryptography", "pyopenssl"),
    "jolokia": ("requests",),
    "prometheus": ("requests",),
    "zookeeper": ("kazoo",),
}
"""Kind of connection → the libraries that speak for it. The others use the standard library only."""
_NO_ROW: Final = ("help", "why", "untold", "moves", "renewed")
"""What a column says of itself that changes no row."""


class Origin(Struct, frozen=True):
    """Digests and versions, each by the name of what it is of.

    Attributes:
        probes: probe → of its code, and that of the connections and formats it uses, and of its declared columns.
        scene: of the code that brought the state about, and that started the lab.
        clients: library → its version.
        systems: system → its version, such as kafka → 4.3.0.
    """

    probes: dict[str, str]
    scene: str
    clients: dict[str, str]
    systems: dict[str, str]

    def differences(self, now: "Origin") -> list[str]:
        """What has changed since, in words; nothing if the evidence is as fresh as its code."""
        found = ["the scene that brought the state about"] if self.scene != now.scene else []
        for kind in ("probes", "clients", "systems"):
            then, here = getattr(self, kind), getattr(now, kind)
            found += [
                f"{name} ({kind})" for name in sorted(then.keys() | here.keys()) if then.get(name) != here.get(name)
            ]
        return found


def origin_of(asked: Iterable[tuple[str, str]], scene: Scene, systems: dict[str, str]) -> Origin:
    """What would make such evidence now.

    Args:
        asked: kind of connection and probe, of each question that was put.
        scene: what brings the state about.
        systems: versions of the systems that were looked at.
    """
    pairs = set(asked)
    libraries = sorted({library for kind, _ in pairs for library in _CLIENTS.get(kind, ())})
    return Origin(
        probes={probe: _digest_of_probe(probe) for probe in sorted({probe for _, probe in pairs})},
        scene=_digest_of_scene(scene),
        clients={library: version(library) for library in libraries},
        systems=systems,
    )


@cache
def _digest_of_probe(probe: str) -> str:
    declared = catalog("probes").load(probe).PROBE
    files = closure(
        [f"runbook.probes.{probe}", *(f"runbook.connections.{kind}" for kind in declared.connections)], _OBSERVING
    )
    columns = msgspec.json.encode([_builtins(column) for column in declared.columns], order="deterministic")
    return _hash([columns.decode(), *map(meaning_of, files)])


def _digest_of_scene(scene: Scene) -> str:
    faults = [
        file for fault in scene.faults for file in closure([f"kafka_lab.faults.{fault.replace('-', '_')}"], _FAULTS)
    ]
    return _hash([*taking_part([scene.play, shape_of(scene.shape).lab], _SCENES), *map(meaning_of, faults)])


def _builtins(column: Any) -> Any:
    """A column without what changes no row: its help, what explains it, and what a change of it means."""
    whole = msgspec.to_builtins(column, builtin_types=(type,), enc_hook=str)
    return {key: str(value) for key, value in whole.items() if key not in _NO_ROW}


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
