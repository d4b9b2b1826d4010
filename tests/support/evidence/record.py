"""One file of kept evidence: a bundle, what made it, and the lab's own proof of the state it shows."""

import gzip
import hashlib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from runbook.evidence.bundle import Bundle, with_kinds
from support.evidence.origin import Origin

FORMAT = "kept-evidence-1"
FOLDER = Path(__file__).parents[2] / "recorded"


class Proof(Struct, frozen=True):
    """What the lab itself said of its state at one moment: claim → whether it held."""

    at: str
    claims: dict[str, bool]

    @property
    def holds(self) -> bool:
        """Whether there is a claim, and every claim held."""
        return bool(self.claims) and all(self.claims.values())


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was seen of a lab in one state.

    Attributes:
        format: FORMAT.
        shape, scene, state: of what; also where the file lies.
        runbooks: whose checks were looked for.
        origin: what made it, to be compared with what would make it now.
        first, last: the lab's proofs, from just before and just after the look.
        words: names that the state gave to what is only known once it runs, such as an address.
        bundle: the product's facts, redacted.
        aftermath: what came of the state once the look had ended, asked without the product.
        seal: SHA-256 over all the rest.
    """

    format: str
    shape: str
    scene: str
    state: str
    runbooks: list[str]
    origin: Origin
    first: Proof
    last: Proof
    words: dict[str, str]
    bundle: Bundle
    aftermath: dict[str, Any] = {}
    seal: str = ""

    @property
    def name(self) -> str:
        """SHAPE/SCENE/STATE."""
        return f"{self.shape}/{self.scene}/{self.state}"

    @property
    def made_at(self) -> str:
        """When the look began, RFC 3339 UTC."""
        return self.bundle.started_at


def place_of(shape: str, scene: str, state: str, folder: Path = FOLDER) -> Path:
    """Where the evidence of a state is kept."""
    return folder / shape / scene / f"{state}.json.gz"


def write(evidence: Evidence, folder: Path) -> Path:
    """Seal evidence and write it; the same evidence is the same bytes."""
    sealed = msgspec.structs.replace(evidence, seal=_seal(msgspec.to_builtins(evidence)))
    file = place_of(evidence.shape, evidence.scene, evidence.state, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(msgspec.json.encode(sealed, order="deterministic"), 9, mtime=0))
    return file


def read(file: Path) -> Evidence:
    """Read evidence.

    Raises:
        ValueError: it isn't what was written, or doesn't lie where it belongs.
    """
    content = gzip.decompress(file.read_bytes())
    raw: dict[str, Any] = msgspec.json.decode(content)
    evidence = msgspec.convert(raw, Evidence)
    if evidence.seal != _seal(raw):
        raise ValueError(f"{file}: edited since it was made: its seal does not fit its content")
    if file.parts[-3:] != place_of(evidence.shape, evidence.scene, evidence.state).parts[-3:]:
        raise ValueError(f"{file}: holds {evidence.name}: it was moved")
    return msgspec.structs.replace(evidence, bundle=with_kinds(evidence.bundle))


def _seal(raw: dict[str, Any]) -> str:
    """SHA-256 of all but the seal, whatever the order of keys and of sets."""
    rest = {key: value for key, value in raw.items() if key != "seal"}
    return hashlib.sha256(msgspec.json.encode(rest, order="deterministic")).hexdigest()


def kept(folder: Path = FOLDER) -> list[Path]:
    """Every file of kept evidence, by name."""
    return sorted(folder.glob("*/*/*.json.gz"))
