"""Compare two looks: bundles, or a bundle and the systems as they are now."""

import fnmatch
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from runbook.changes.difference import Comparison
from runbook.changes.observations import Inquiry, Observation, compare_observations
from runbook.evidence.bundle import Bundle
from runbook.model import moment
from runbook.model.ask import FactQuestion
from runbook.model.column import Column
from runbook.model.errors import UsageError
from runbook.model.fact import Fact
from runbook.parse.inventory import Inventory, Target
from runbook.plugins.catalog import catalog
from runbook.run.collection.collected_facts import Facts
from runbook.run.collection.fact_assembly import joined, stored
from runbook.run.collection.single_questions import Follow, put
from runbook.run.sources.inventories import load_inventory


class Differing(Struct, frozen=True, kw_only=True):
    """What is to be compared.

    Attributes:
        old: the first look.
        old_name: what messages call it.
        new: the second; None: the systems as they are now.
        new_name: what messages call that.
        inventory: the file of environments; None: the one in force. Only for the systems as they are now.
        environments: names or globs; none: all that the first look is about.
        seconds: after which what has not answered is not known.
        moving: whether what moves by nature, such as sizes and ages, counts too.
        user_checks: folders with probes of one's own, which the caller has added.
    """

    old: Bundle
    old_name: str = "OLD"
    new: Bundle | None = None
    new_name: str = "NEW"
    inventory: Path | None = None
    environments: Sequence[str] = ()
    seconds: float = 10.0
    moving: bool = False
    user_checks: Sequence[Path] = ()


def compare(wanted: Differing, follow: Follow | None = None) -> list[Comparison]:
    """What changed, for each environment.

    Args:
        wanted: what is to be compared.
        follow: is told, several times a second, how far the asking is.

    Raises:
        UsageError: an environment is not there; with the remedy.
        Invalid: the inventory has mistakes.
    """
    names = _chosen(wanted.old, wanted.environments, wanted.old_name)
    if wanted.new is not None:
        if strange := sorted({*names} - {*wanted.new.environments}):
            held = ", ".join(wanted.new.environments) or "none"
            raise UsageError(f"{wanted.new_name} holds nothing of {strange[0]}: its environments are {held}")
        looks = {name: observation_of(wanted.new, name) for name in names}
    else:
        looks = _live(wanted.old, names, wanted, follow)
    return [_compared(observation_of(wanted.old, name), looks[name], moving=wanted.moving) for name in names]


def since(kept: Bundle, now: Observation, as_it_is: Observation | None = None) -> Comparison:
    """What changed in an environment since a kept look, and what was not seen twice; nothing is asked.

    What moves by nature is left out. `changes.wording.sentence` says each change in words.

    Args:
        kept: the facts of an earlier run.
        now: what is so, or would be without some causes.
        as_it_is: what is so, in the latter case.
    """
    return _compared(observation_of(kept, now.environment), now, moving=False, as_it_is=as_it_is)


def observation_of_facts(environment: str, at: str, facts: Facts) -> Observation:
    """What was collected of an environment in a run that began at that moment."""
    answers = {ask: looks[""] for ask, looks in facts.items() if ask.environment == environment}
    return Observation(environment, at, _by_question(answers))


def _compared(old: Observation, new: Observation, *, moving: bool, as_it_is: Observation | None = None) -> Comparison:
    return compare_observations(old, new, _columns([*old.facts, *new.facts]), moving=moving, as_it_is=as_it_is)


def observation_of(bundle: Bundle, environment: str) -> Observation:
    """What a bundle holds of an environment, as its probes declare it today."""
    answers = {
        kept.ask: stored(kept.ask, kept.facts)[""] for kept in bundle.kept if kept.ask.environment == environment
    }
    return Observation(environment, bundle.started_at, _by_question(answers))


def _by_question(answers: Mapping[FactQuestion, Fact]) -> dict[Inquiry, Fact]:
    """One fact for each question; of a question that was also put twice in a row, the one that was not."""
    once: dict[tuple[Inquiry, str], Fact] = {}
    for ask in sorted(answers, key=lambda one: bool(one.looks)):
        once.setdefault((Inquiry(ask.probe, ask.given, ask.window), ask.connection), answers[ask])
    found: dict[Inquiry, list[Fact]] = {}
    for (question, _), fact in once.items():
        found.setdefault(question, []).append(fact)
    return {question: facts[0] if len(facts) == 1 else joined(facts) for question, facts in found.items()}


def _live(old: Bundle, names: Sequence[str], wanted: Differing, follow: Follow | None) -> dict[str, Observation]:
    """Put the questions of a bundle again, each to what the inventory says of its environment now."""
    inventory = load_inventory(wanted.inventory)
    asks: list[FactQuestion] = []
    for name in names:
        target = _target(inventory, name)
        asks += [
            again
            for kept in old.kept
            if kept.ask.environment == name
            for again in _ways(replace(kept.ask, looks=""), target)
        ]
    at = moment.now()
    folders = [str(folder.resolve()) for folder in wanted.user_checks]
    answers = put(asks, inventory.targets, wanted.seconds, user_checks=folders, follow=follow)
    return {
        name: Observation(
            name, at, _by_question({ask: fact for ask, fact in answers.items() if ask.environment == name})
        )
        for name in names
    }


def _target(inventory: Inventory, name: str) -> Target:
    if name not in inventory.targets:
        known = ", ".join(inventory.targets)
        raise UsageError(f"{inventory.file} has no environment {name} to look at now; it has {known}")
    return inventory.targets[name]


def _ways(ask: FactQuestion, target: Target) -> list[FactQuestion]:
    """A question as it is put today: over the connections that the inventory gives now. None if its probe is gone."""
    if ask.probe not in catalog("probes"):
        return []
    return [replace(ask, connection=kind) for kind in target.ways_to(catalog("probes").load(ask.probe).PROBE)]


def _chosen(bundle: Bundle, patterns: Sequence[str], file: str) -> list[str]:
    names = bundle.selected or list(bundle.environments)
    chosen = [name for name in names if not patterns or any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
    if not chosen:
        raise UsageError(f"{file} holds no environment {' or '.join(patterns)}; it has {', '.join(names) or 'none'}")
    return chosen


def _columns(questions: Sequence[Inquiry]) -> dict[str, Sequence[Column]]:
    probes = {question.probe for question in questions}
    return {
        probe: catalog("probes").load(probe).PROBE.columns if probe in catalog("probes") else () for probe in probes
    }
