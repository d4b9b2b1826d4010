"""One file of kept evidence: raw answers of systems, what they were asked for, and the lab's own proof of its state."""

import hashlib
import lzma
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from runbook.evidence.bundle import Bundle
from runbook.recording.tape import Recording
from support.evidence.replaying import Replayed, replayed

FORMAT = "kept-evidence-2"
FOLDER = Path(__file__).parents[2] / "recorded"
ENDING = ".raw.xz"


class Proof(Struct, frozen=True):
    """What the lab itself said of its state at one moment: claim → whether it held."""

    at: str
    claims: dict[str, bool]

    @property
    def holds(self) -> bool:
        """Whether there is a claim, and every claim held."""
        return bool(self.claims) and all(self.claims.values())


class Releases(Struct, frozen=True):
    """What asked and what was asked: client library → version, and system → version, such as kafka → 4.3.0."""

    clients: dict[str, str]
    systems: dict[str, str]

    def differences(self, now: "Releases") -> list[str]:
        """What has another version now, in words."""
        return [
            f"{name} ({kind})"
            for kind in ("clients", "systems")
            for name in sorted(getattr(self, kind).keys() | getattr(now, kind).keys())
            if getattr(self, kind).get(name) != getattr(now, kind).get(name)
        ]


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """What was seen of a lab in one state.

    Attributes:
        format: FORMAT.
        shape, scene, state: of what; also where the file lies.
        runbooks: whose checks were looked for.
        releases: of clients and systems.
        first, last: the lab's proofs, from just before and just after the look.
        words: names that the state gave to what is only known once it runs, such as an address.
        asked: the bundle of the run; facts are in it only where no connection answered.
        recordings: what connections were answered, without secrets.
        aftermath: what came of the state once the look had ended, asked without the product.
        seal: SHA-256 over all the rest.
    """

    format: str
    shape: str
    scene: str
    state: str
    runbooks: list[str]
    releases: Releases
    first: Proof
    last: Proof
    words: dict[str, str]
    asked: Bundle
    recordings: list[Recording]
    aftermath: dict[str, Any] = {}
    seal: str = ""

    @property
    def name(self) -> str:
        """SHAPE/SCENE/STATE."""
        return f"{self.shape}/{self.scene}/{self.state}"

    @property
    def made_at(self) -> str:
        """When the look began, RFC 3339 UTC."""
        return self.asked.started_at

    @property
    def bundle(self) -> Bundle:
        """The facts, computed from raw answers by today's code."""
        return self.replayed.bundle

    @cached_property
    def replayed(self) -> Replayed:
        """The facts, and which questions today's code puts that nobody put then."""
        return replayed(self.asked, self.recordings)


def place_of(shape: str, scene: str, state: str, folder: Path = FOLDER) -> Path:
    """Where the evidence of a state is kept."""
    return folder / shape / scene / f"{state}{ENDING}"


def write(evidence: Evidence, folder: Path) -> Path:
    """Seal evidence and write it; the same evidence is the same bytes."""
    raw: dict[str, Any] = msgspec.to_builtins(evidence, builtin_types=(bytes,), order="deterministic")
    for environment in raw["asked"]["environments"].values():
        for newer in ("unobserved", "owner", "owners"):  # older evidence has no word for them
            if not environment[newer]:
                del environment[newer]
    sealed = raw | {"seal": _seal(raw)}
    file = place_of(evidence.shape, evidence.scene, evidence.state, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(lzma.compress(msgspec.msgpack.encode(sealed), preset=6))
    return file


def read(file: Path) -> Evidence:
    """Read evidence.

    Raises:
        ValueError: it isn't what was written, or doesn't lie where it belongs.
    """
    return _read(file, file.stat().st_mtime_ns)


@cache
def _read(file: Path, _written: int) -> Evidence:
    content = lzma.decompress(file.read_bytes())
    raw: dict[str, Any] = msgspec.msgpack.decode(content, strict=False)
    evidence = msgspec.msgpack.decode(content, type=Evidence, strict=False)
    if evidence.seal != _seal(raw):
        raise ValueError(f"{file}: edited since it was made: its seal does not fit its content")
    if file.parts[-3:] != place_of(evidence.shape, evidence.scene, evidence.state).parts[-3:]:
        raise ValueError(f"{file}: holds {evidence.name}: it was moved")
    return evidence


def _seal(raw: dict[str, Any]) -> str:
    """SHA-256 of all but the seal, whatever the order of keys and of sets."""
    rest = {key: value for key, value in raw.items() if key != "seal"}
    return hashlib.sha256(msgspec.msgpack.encode(rest, order="deterministic")).hexdigest()


def kept(folder: Path = FOLDER) -> list[Path]:
    """Every file of kept evidence, by name."""
    return sorted(folder.glob(f"*/*/*{ENDING}"))
