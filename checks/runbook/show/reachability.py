"""Say of an environment what can be reached and seen there."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from runbook.judge.summary import counted, some
from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import NO_ANSWER, NOT_ASKED, GapKind
from runbook.model.sentence import shown
from runbook.parse.absences import NO_REASON
from runbook.parse.allowed import remarks
from runbook.parse.inventory import Inventory, Target, Waiver
from runbook.parse.unobserved import Unobserved, said_of_absent
from runbook.plugins.catalog import catalog
from runbook.run.collection.pinned_cluster import CLUSTER, wrong_cluster
from runbook.run.planning.unknown_labels import UnknownLabel
from runbook.run.sources.inventories import hidden_beside
from runbook.safety.sanitize import sanitize_lines
from runbook.terminal.columns import beside

_NAMED: Final = 3  # probes that say the same. Our judgement
_OF_CONNECTIONS = ("given", "works", "PARTLY", "FAILS", "untried")
_WAIVER: Final = "waiver"
_UNOBSERVED: Final = "not seen"
_UP = {
    "kafka": "is the cluster up? Are the addresses in bootstrap.servers those of its listeners, and does a firewall "
    "let this machine reach them? What each reason means: runbook show docs/how-to/inventory.md"
}
"""Connection → what to look at where nothing answers: there is nothing to write, unless an address is wrong."""


def summarize(targets: Sequence[Target], inventory: Inventory) -> str:
    """How many environments there are, where they stand, and which one is the default."""
    count = counted(len(inventory.targets), "environment")
    if len(targets) < len(inventory.targets):
        count = f"{len(targets)} of {count}"
    default = f"; without --env, {inventory.default}" if inventory.default else ""
    beside, file = hidden_beside(inventory)
    hidden = f"\nanother inventory has {', '.join(beside)}: --inventory {file}" if beside else ""
    return sanitize_lines(f"{count} in {inventory.file}{default}{hidden}")


class Lack(Struct, frozen=True):
    """What a probe could not see, and the rights that it takes, where it was not for want of an answer."""

    probe: str
    reason: str
    more: int
    rights: Sequence[str]
    kind: GapKind


class Noted(Struct, frozen=True):
    """A word on something of an environment, such as `works` on a connection, with what is to be said of it."""

    word: str
    about: str
    says: str = ""
    lacks: list[Lack] = []
    kind: GapKind | None = None  # where all that was asked lacks the same


class Reached(Struct, frozen=True):
    """What can be reached and seen of an environment; `complete` if that is all that was asked."""

    environment: str
    labels: dict[str, str]
    objectives: Sequence[str]
    noted: list[Noted]
    complete: bool


def reached(target: Target, facts: Mapping[str, Fact] | None, strange: Sequence[UnknownLabel] = ()) -> Reached:
    """Say what can be reached and seen of one environment.

    Args:
        target: the environment.
        facts: probe -> what it saw there; None if nothing was asked.
        strange: those of its labels that no check knows.
    """
    noted = [
        Noted("remark", label.name, f"{label.message}{f'; did you mean {label.meant}?' if label.meant else ''}")
        for label in strange
    ]
    complete = True
    waiting = _waiting(target, facts or {})
    for kind in target.connections:
        remarked = [Noted("remark", kind, text) for text in remarks(kind, target.connections[kind])]
        if facts is None:
            noted += [Noted("given", kind), *remarked]
            continue
        seen = {
            environment: fact
            for environment, fact in facts.items()
            if kind in ways_of(target, environment) and environment not in waiting
        }
        noted += [_connection(kind, seen), *remarked]
        complete = complete and all(fact.complete for fact in seen.values())
    if facts and CLUSTER in facts and len(facts[CLUSTER]) and (why := wrong_cluster(target, facts[CLUSTER])):
        noted.append(Noted("WRONG", "cluster_id", f"{why}: correct cluster_id: or the address"))
        complete = False
    noted += [Noted("waits", probe, why) for probe, why in waiting.items()]
    of = target.environment
    noted += [Noted("absent", kind, why) for kind, why in of.absent.items()]
    noted += [Noted(_UNOBSERVED, name, _until(one)) for name, one in of.unobserved.items()]
    if said := said_of_absent(of.absent):
        noted.append(Noted("remark", "absent", said))
    noted += [Noted(_WAIVER, waiver.check, _waived(waiver)) for waiver in of.waivers]
    return Reached(target.name, of.labels, of.ranking().default, noted, complete)


def describe(found: Reached) -> str:
    """What can be reached and seen of an environment, as lines for a person."""
    labels = ", ".join(f"{key}={value}" for key, value in found.labels.items()) or "no labels"
    lines = [beside(f"{found.environment}  ", f"{labels}  objectives: {' > '.join(found.objectives)}")]
    wide = max([16, *(len(noted.about) for noted in found.noted if noted.word != _WAIVER)])
    for noted in found.noted:
        lines.append(beside(f"  {noted.word:8} {noted.about:{wide}} ", noted.says))
        if noted.word == "FAILS" and noted.kind in NO_ANSWER and noted.about in _UP:
            lines.append(beside(f"    {'look at':{wide + 7}} ", _UP[noted.about]))
        lines += [beside(f"    {who:24} ", why) for who, why in _told_once(noted.lacks)]
    if not any(noted.word in _OF_CONNECTIONS for noted in found.noted):
        lines.append(beside("  ", "no connection is given: every check would be unknown, or not apply"))
    return "\n".join(lines)


def _until(declared: Unobserved) -> str:
    """Why nobody looks, who decided that, and whether the last day of it has passed."""
    ended = declared.ended(dt.datetime.now(dt.UTC))
    return declared.says + ("; that day has passed, and its checks count as unknown" if ended else "")


def _waived(waiver: Waiver) -> str:
    """Until when a waiver holds, for which rows if not for all, and who says why."""
    rows = f" of {', '.join(f'{name} {pattern}' for name, pattern in waiver.rows.items())}" if waiver.rows else ""
    return f"last day {waiver.expires}{rows}; {waiver.owner}: {waiver.reason}"


def _told_once(lacks: Sequence[Lack]) -> Iterator[tuple[str, str]]:
    """Who could not see all, and why: probes that say the same stand together, as many may lack the same line."""
    alike: dict[tuple[str, int], list[Lack]] = {}
    for lack in lacks:
        alike.setdefault((lack.reason, lack.more), []).append(lack)
    for (reason, left), same in alike.items():
        more = f" (and {left} more)" if left else ""
        rights = dict.fromkeys(right for lack in same for right in lack.rights)
        needs = f"; needs {', '.join(rights)}" if rights else ""
        probes = [lack.probe for lack in same]
        alone = len(probes) == 1
        named = "" if alone else f" ({some(probes, _NAMED)})"
        yield probes[0] if alone else counted(len(probes), "probe"), f"{reason}{more}{needs}{named}"


def _waiting(target: Target, facts: Mapping[str, Fact]) -> dict[str, str]:
    """The probes that do what is not allowed there, where their connection is given, and why: that is no lack."""
    found = {}
    for probe in sorted(facts):
        declared = catalog("probes").load(probe).PROBE
        if ways_of(target, probe)[0] not in target.connections:
            continue
        if declared.proof == "active" and not target.environment.active:
            found[probe] = "it tries something, which active: true would allow"
        elif declared.waits_for and not getattr(target.environment, declared.waits_for):
            found[probe] = f"it reads nothing until {declared.waits_for}: [TOPIC, …] names what it may"
    return found


def ways_of(target: Target, probe: str) -> list[str]:
    """The connections over which a probe may be put to an environment, the first of them first."""
    return target.ways_to(catalog("probes").load(probe).PROBE)


def _connection(kind: str, seen: Mapping[str, Fact]) -> Noted:
    if not seen:  # nobody has tried it, so that nobody knows
        return Noted("untried", kind, "no probe asks anything of it here")
    gaps = any(fact.gaps for fact in seen.values())
    if gaps and not any(len(fact) for fact in seen.values()):
        blind = {probe: fact for probe, fact in seen.items() if fact.gaps}
        lacks = [_lack(probe, fact) for probe, fact in blind.items()]
        alike = len({_sort(lack, _first(fact)) for lack, fact in zip(lacks, blind.values(), strict=True)}) == 1
        says = lacks[0].reason if alike else f"{counted(len(lacks), 'probe')} see nothing, each for a reason of its own"
        return Noted("FAILS", kind, says, [] if alike else lacks, lacks[0].kind if alike else None)
    applying = [fact for fact in seen.values() if not fact.inapplicable]
    whole, of = sum(fact.complete for fact in applying), counted(len(applying), "probe")
    says = f"{whole} of {of} see{'s' if len(applying) == 1 else ''} all"
    lacks = [_lack(probe, fact) for probe, fact in seen.items() if fact.gaps]
    return Noted("PARTLY" if gaps else "works", kind, says, lacks)


def _lack(probe: str, fact: Fact) -> Lack:
    """What a probe could not see; first what was refused, as rights mend that, and no broker that is down."""
    first, left = _first(fact), len(fact.gaps) - 1
    if first.kind is GapKind.SETTING_MISSING:
        remedy = f"or say why there is none: absent: {{{probe}: {NO_REASON}}}"
        return Lack(probe, f"{first.reason}; {remedy}", left, (), first.kind)
    mended = first.kind not in {*NO_ANSWER, *NOT_ASKED, GapKind.NOT_DECLARED}
    rights = catalog("probes").load(probe).PROBE.rights if mended else ()
    return Lack(probe, shown(first.reason), left, rights, first.kind)


def _first(fact: Fact) -> Gap:
    return next((gap for gap in fact.gaps if gap.kind not in NO_ANSWER | NOT_ASKED), fact.gaps[0])


def _sort(lack: Lack, gap: Gap) -> tuple[str, str]:
    """What lacks have in common that differ in figures only: how long each probe waited is no reason of its own."""
    return (gap.kind, gap.at if gap.waited else lack.reason)
