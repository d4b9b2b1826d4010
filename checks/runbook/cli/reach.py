"""Say of an environment what can be reached and seen there."""

from collections.abc import Iterator, Mapping, Sequence

from runbook.judge.summary import counted
from runbook.model.fact import Fact
from runbook.parse.allowed import remarks
from runbook.parse.inventory import Inventory, Target
from runbook.plugins.catalog import catalog
from runbook.run.pinned_cluster import CLUSTER, wrong_cluster
from runbook.run.strange_labels import StrangeLabel
from runbook.safety.sanitize import sanitize


def summarize(targets: Sequence[Target], inventory: Inventory) -> str:
    """How many environments there are, where they stand, and which one is the default."""
    count = counted(len(targets), "environment")
    default = f"; without --env, {inventory.default}" if inventory.default else ""
    return sanitize(f"{count} in {inventory.file}{default}")


def describe(
    target: Target, facts: Mapping[str, Fact] | None, strange: Sequence[StrangeLabel] = ()
) -> tuple[str, bool]:
    """Describe one environment.

    Args:
        target: the environment.
        facts: probe -> what it saw there; None if nothing was asked.
        strange: those of its labels that no check knows.

    Returns:
        Lines for a person, and whether everything that was asked could be seen.
    """
    labels = ", ".join(f"{key}={value}" for key, value in target.environment.labels.items()) or "no labels"
    lines = [f"{target.name}  {labels}  objectives: {' > '.join(target.environment.ranking().default)}"]
    for label in strange:
        meant = f"; did you mean {label.meant}?" if label.meant else ""
        lines.append(f"  remark   {label.name:16} {label.message}{meant}")
    complete = True
    waiting = _waiting(target, facts or {})
    for kind in target.connections:
        noted = [f"  remark   {kind:16} {text}" for text in remarks(kind, target.connections[kind])]
        if facts is None:
            lines += [f"  given    {kind}", *noted]
            continue
        seen = {one: fact for one, fact in facts.items() if kind in ways_of(target, one) and one not in waiting}
        lines += [*_connection(kind, seen), *noted]
        complete = complete and all(fact.complete for fact in seen.values())
    if facts and CLUSTER in facts and len(facts[CLUSTER]) and (why := wrong_cluster(target, facts[CLUSTER])):
        lines.append(f"  WRONG    {'cluster_id':16} {why}: correct cluster_id: or the address")
        complete = False
    width = max(map(len, waiting), default=0)
    lines += [f"  waits    {probe:{max(16, width)}} {why}" for probe, why in waiting.items()]
    lines += [f"  absent   {kind:16} {why}" for kind, why in target.environment.absent.items()]
    if not target.connections:
        lines.append("  no connection is given: every check would be unknown, or not apply")
    return "\n".join(sanitize(line) for line in lines), complete


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


def _connection(kind: str, seen: Mapping[str, Fact]) -> Iterator[str]:
    if not seen:  # nobody has tried it, so that nobody knows
        yield f"  untried  {kind:16} no probe asks anything of it here"
        return
    gaps = list(dict.fromkeys(gap.reason for fact in seen.values() for gap in fact.gaps))
    if gaps and not any(len(fact) for fact in seen.values()):
        yield f"  FAILS    {kind:16} {gaps[0]}"
        return
    applying = [fact for fact in seen.values() if not fact.inapplicable]
    word = "works" if not gaps else "PARTLY"
    yield f"  {word:8} {kind:16} {sum(fact.complete for fact in applying)} of {len(applying)} probes see all"
    for probe, fact in seen.items():
        if fact.gaps:
            rights = catalog("probes").load(probe).PROBE.rights
            more = f" (and {len(fact.gaps) - 1} more)" if len(fact.gaps) > 1 else ""
            yield f"    {probe:24} {fact.gaps[0].reason}{more}; needs {', '.join(rights)}"
