"""Whether a drill's loss was seen: what was in service, then gone, and back, by the looks of the tool itself.

Pure, and from the entries of a record alone. What a person says of a step is no part of it: Enter loses nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from runbook.model.block import Loss
from runbook.procedure.walk_record import Begun, Entry, Sighting

SEEN: Final = "seen lost: "
"""How the caveat of a drill begins whose loss was seen; what was lost, and from when to when, follows."""

NOT_SEEN: Final = "not seen lost: "
"""How it begins where the loss was not seen; why follows."""


_CLUSTER: Final = re.compile(r" \[cluster (\S+)\]$")


class LossSeen(Struct, frozen=True):
    """What the looks of a drill showed.

    Attributes:
        seen: whether all of the loss was seen.
        text: what was seen, with moments; or why the loss was not.
        cluster: the id of the cluster that stood it: the one that lost a broker, or that takes over.
    """

    seen: bool
    text: str
    cluster: str = ""

    def __str__(self) -> str:
        return f"{SEEN}{self.text} [cluster {self.cluster}]" if self.seen else f"{NOT_SEEN}{self.text}"


def cluster_in(caveat: str) -> str:
    """The id of the cluster that a caveat tells of, as `str` of a loss that was seen wrote it; empty if it has none."""
    found = _CLUSTER.search(caveat)
    return found[1] if found else ""


def loss_seen(entries: Sequence[Entry]) -> LossSeen:
    """Say whether the loss that a drill declares was seen in its looks.

    A broker or a rack must have served, been gone (by its cluster's own account, and without an answer), and served
    again. An environment that is left must have served and then been dark, while the one that takes over answered.

    Args:
        entries: of a record, whole or not, the first of which says what is to be lost.
    """
    begun = next((entry for entry in entries if isinstance(entry, Begun)), None)
    if begun is None or begun.loses is None:
        return LossSeen(seen=False, text="the record names no loss that the tool was to look for")
    looks = [entry for entry in entries if isinstance(entry, Sighting)]
    if not looks:
        return LossSeen(seen=False, text="the tool did not look")
    changed = _cluster_changed(looks)
    if changed:
        return LossSeen(seen=False, text=changed)
    if begun.loses == "source":
        return _source(begun, looks)
    here = [look for look in looks if look.environment == begun.environment]
    return _nodes(begun.loses, here)


def with_loss(caveats: Sequence[str], entries: Sequence[Entry]) -> list[str]:
    """The caveats of a drill's figures, and the one that says whether its loss was seen so far."""
    others = [caveat for caveat in caveats if not caveat.startswith((SEEN, NOT_SEEN))]
    return [*others, str(loss_seen(entries))]


def _cluster_changed(looks: Iterable[Sighting]) -> str:
    """Say that an environment was another cluster at another look: what is missing there was never lost."""
    known: dict[str, str] = {}
    for look in looks:
        before = known.setdefault(look.environment, look.cluster_id) or look.cluster_id
        if look.cluster_id and look.cluster_id != before:
            return f"{look.environment} was cluster {before}, and then cluster {look.cluster_id}"
        known[look.environment] = before
    return ""


def _source(begun: Begun, looks: Sequence[Sighting]) -> LossSeen:
    served = None
    for look in looks:
        if look.environment != begun.source:
            continue
        if look.serving:
            served = look
        if served is None or not look.dark:
            continue
        there = _answered(begun.target, look.stage, looks)
        if there:
            cluster = f" (cluster {served.cluster_id})" if served.cluster_id else ""
            text = f"{begun.source}{cluster} served at {served.at} and was dark at {look.at}"
            return LossSeen(seen=True, text=text, cluster=there)
    if served is None:
        return LossSeen(seen=False, text=_never_served(looks, begun.source))
    dark = [look for look in looks if look.environment == begun.source and look.dark]
    if dark:
        text = f"{begun.source} was dark at {dark[0].at}, but {begun.target} did not answer then: our own network?"
        return LossSeen(seen=False, text=text)
    return LossSeen(seen=False, text=f"{begun.source} answered at every one of {_looks(looks, begun.source)} looks")


def _answered(environment: str, stage: str, looks: Sequence[Sighting]) -> str:
    """The id of the cluster that answered there at that stage; empty if none did."""
    those = (look for look in looks if look.environment == environment and look.stage == stage and look.serving)
    return next((sighting.cluster_id for sighting in those if sighting.cluster_id), "")


def _looks(looks: Sequence[Sighting], environment: str) -> int:
    return sum(look.environment == environment for look in looks)


def _never_served(looks: Sequence[Sighting], environment: str) -> str:
    why = next((look.unknown for look in looks if look.environment == environment and look.unknown), "")
    return f"{environment} was in service at no look before the loss{f': {why}' if why else ''}"


def _nodes(loss: Loss, looks: Sequence[Sighting]) -> LossSeen:
    """Whether a broker, or all of a rack, was lost and came back."""
    half = ""
    for first, name, nodes in _served(loss, looks):
        gone = next((look for look in looks[first + 1 :] if set(nodes) <= set(_gone(look, looks[first]))), None)
        if gone is None:
            continue
        rest = looks[looks.index(gone) + 1 :]
        back = next((sighting for sighting in rest if set(nodes) <= set(sighting.serving)), None)
        if back is not None:
            text = f"{name} served at {looks[first].at}, was gone at {gone.at} and served again at {back.at}"
            return LossSeen(seen=True, text=text, cluster=gone.cluster_id)
        half = half or f"{name} was gone at {gone.at}, and was not seen in service again"
    return LossSeen(seen=False, text=half or _nothing_gone(loss, looks))


def _served(loss: Loss, looks: Sequence[Sighting]) -> Iterator[tuple[int, str, list[int]]]:
    """The look at which something served that may be lost, its name and its nodes; of each the first and later ones."""
    for at, look in enumerate(looks):
        if loss == "rack":
            yield from ((at, f"rack {rack}", nodes) for rack, nodes in sorted(look.racks.items()) if nodes)
        else:
            yield from ((at, f"broker {node}", [node]) for node in look.serving)


def _gone(look: Sighting, before: Sighting) -> list[int]:
    """The nodes that are gone at a look: by their cluster's account, or as it does not know them any more."""
    if look.unknown or look.dark or not look.cluster_id:
        return []
    forgotten = set(before.serving) - set(look.serving) - set(look.gone) - set(look.unsure)
    return [*look.gone, *forgotten]


def _nothing_gone(loss: Loss, looks: Sequence[Sighting]) -> str:
    seen = sorted({node for look in looks for node in look.serving})
    blind = [look.unknown for look in looks if look.unknown]
    if not seen:
        return f"no broker was in service at any look{f': {blind[0]}' if blind else ''}"
    unsure = sorted({node for look in looks for node in look.unsure})
    if unsure:
        named = ", ".join(map(str, unsure))
        return f"broker {named} did not answer for a while, yet its cluster never counted it out of service"
    what = "all of a rack" if loss == "rack" else "a broker"
    tail = f"; {len(blind)} looks could not see: {blind[0]}" if blind else ""
    return f"at none of {len(looks)} looks was {what} gone: brokers {', '.join(map(str, seen))} were in service{tail}"
