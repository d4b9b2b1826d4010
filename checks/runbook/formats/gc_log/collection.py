"""The text of one whole collection of JDK 8, from its opening bracket to the closing one, into a pause."""

import re

from runbook.formats.gc_log.event import Cycle, Moment, Pause, decimal, heap, size
from runbook.formats.gc_log.pause_meaning import PauseMeaning, meaning
from runbook.model.quantity import Bytes, MillisecondsExact

_SIZE = r"([0-9]{1,15}(?:[.,][0-9]{1,15})?)([BKMGT])"
_LENGTH = re.compile(r", ([0-9]{1,15}[.,][0-9]{1,15}) secs\]$")
_CAUSE = re.compile(r"\[(?:Full GC|GC(?: pause| remark| cleanup)?) *\(((?:[^()]|\(\))*)\)")
_WHOLE = re.compile(rf"(?<![\w.,]){_SIZE}->{_SIZE}\({_SIZE}\)")
_YOUNG = re.compile(rf"\[(?:PSYoungGen|DefNew|ParNew)(?: \([^)]*\))?: {_SIZE}->{_SIZE}\(")
_SHENANDOAH = re.compile(
    rf"\[(Pause [A-Z][^\[\]]*?)(?: {_SIZE}->{_SIZE}\({_SIZE}\))?, (?:([0-9]{{1,15}}[.,][0-9]+) ms|start)\]"
)
_CLEANUP = re.compile(rf"\[Concurrent cleanup.{{0,40}}? {_SIZE}->{_SIZE}\({_SIZE}\), [0-9.,]+ ms\]")
_TELLTALES = {
    "[GC pause": "g1",
    "[PSYoungGen": "parallel",
    "[ParNew": "cms",
    "CMS-": "cms",
    "[DefNew": "serial",
    "[Pause": "shenandoah",
}
_FAILED = ("to-space exhausted", "to-space overflow", "promotion failed", ")--", ") --[")


def pause_of(said: str, began: Moment) -> Pause | None:
    """Read a collection; None if its text does not end with how long it took, or is a beginning only.

    Args:
        said: from `[GC`, `[Full GC` or `[Pause` to the bracket that closes it; line ends left out.
        began: when it did.
    """
    if said.startswith("[Pause"):
        return _of_shenandoah(said, began)
    length = _LENGTH.search(said[-40:])
    if length is None:
        return None
    seconds = decimal(length[1])
    pause = Pause(at=later(began, seconds), ms=MillisecondsExact(seconds * 1000), kind=_kind(said), cause=_cause(said))
    pause.evacuation_failed = any(words in said for words in _FAILED)
    if sizes := _WHOLE.findall(_outside(said)):
        pause.before, pause.after, pause.total = heap(*sizes[-1])
        pause.promoted = _promoted(said, pause)
    return pause


def title(said: str) -> str:
    """What a pause of Shenandoah is called, such as Pause Degenerated GC (Mark); empty if it is none."""
    found = _SHENANDOAH.match(said)
    return found[1] if found else ""


def words_of(said: str) -> PauseMeaning:
    """What is known of a collection whose text breaks off."""
    if said.startswith("[Pause"):
        return meaning(said[1:].partition(", ")[0])
    return PauseMeaning(kind=_kind(said), cause=_cause(said), failed=False)


def collector_of(said: str) -> str:
    """Which collector writes like this; empty if the text does not give it away."""
    return next((name for words, name in _TELLTALES.items() if words in said), "")


def cycle_of(said: str, at: Moment) -> Cycle | None:
    """Read the line in which Shenandoah tells the heap before and after a concurrent collection."""
    found = _CLEANUP.match(said)
    if found is None:
        return None
    sizes = heap(*found.groups())
    return Cycle(at=at, before=sizes.before, after=sizes.after, total=sizes.total)


def later(at: Moment, seconds: float) -> Moment:
    """Give the moment so many seconds later."""
    return Moment(None if at.wall is None else at.wall + seconds, None if at.uptime is None else at.uptime + seconds)


def _of_shenandoah(said: str, began: Moment) -> Pause | None:
    found = _SHENANDOAH.fullmatch(said)
    if found is None or found[8] is None:
        return None
    ms = MillisecondsExact(decimal(found[8]))
    meant = meaning(found[1])
    pause = Pause(at=later(began, ms / 1000), ms=ms, kind=meant.kind, cause=meant.cause)
    if found[2] is not None:
        pause.before, pause.after, pause.total = heap(*found.groups()[1:7])
    return pause


def _outside(said: str) -> str:
    """What stands in the outermost brackets only: the whole heap, not its generations."""
    depth, kept = 0, []
    for char in said:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if depth == 1 and char not in "[]":
            kept.append(char)
    return "".join(kept)


def _kind(said: str) -> str:
    if said.startswith("[Full GC") or "concurrent mode failure" in said or "[CMS: " in said:
        return "full"
    for words, kind in (
        ("[GC remark", "remark"),
        ("[GC cleanup", "cleanup"),
        ("CMS Initial Mark", "initial mark"),
        ("CMS-initial-mark", "initial mark"),
        ("CMS Final Remark", "remark"),
        ("CMS-remark", "remark"),
    ):
        if words in said:
            return kind
    return "mixed" if "(mixed)" in said else "young"


def _cause(said: str) -> str:
    found = _CAUSE.match(said)
    return found[1] if found else ""


def _promoted(said: str, pause: Pause) -> Bytes | None:
    """What left the young generation and is still there."""
    found = _YOUNG.search(said)
    if found is None or pause.kind != "young" or pause.before is None or pause.after is None:
        return None
    freed_young = size(found[1], found[2]) - size(found[3], found[4])
    return Bytes(max(0, freed_young - (pause.before - pause.after)))
