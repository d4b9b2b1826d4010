"""Ask environments what is needed to say what losses would stop, and work it out."""

from collections.abc import Sequence
from pathlib import Path

from runbook.evidence.bundle import inventory_of, load_bundle
from runbook.parse.inventory import Target
from runbook.run.collection.pinned_cluster import CLUSTER, wrong_cluster
from runbook.run.collection.single_questions import Answers, Follow, ask_all, kept_answers
from runbook.run.sources.chosen_environments import choose
from runbook.run.sources.inventories import load_inventory
from runbook.what_if.analysis import PROBES, Analysis, analyze, analyze_change, not_looked_at
from runbook.what_if.change_analysis import SIZES
from runbook.what_if.change_request import ChangeRequest
from runbook.what_if.loss_request import read_lose


def what_if(  # noqa: PLR0913 - public, and all are optional words of `runbook what-if`
    *,
    lose: Sequence[str] = (),
    topics: Sequence[str] = (),
    inventory: Path | None = None,
    environments: Sequence[str] = (),
    bundle: Path | None = None,
    change: ChangeRequest | None = None,
    seconds: float = 10.0,
    follow: Follow | None = None,
) -> list[Analysis]:
    """Work out what losses would stop, in each environment.

    Args:
        lose: what is lost, all of it together, as in `broker:2` or `rack:az-b`; none: every loss of one thing, and of
            one planned and one unplanned.
        topics: patterns of their names; none: all.
        inventory: the file of environments; None: the one in force.
        environments: names or globs; none: the only one, else the default; of a bundle, all it holds.
        bundle: work it out from what this file holds; nothing is contacted.
        change: work out what it does, and the losses after it; None: the losses as things are.
        seconds: after which what has not answered is not known.
        follow: is told, several times a second, how far the asking is.

    Returns:
        For each environment what would follow, the worst first. What was not counted is None, with the reason.

    Raises:
        UsageError: something asked for is not there, or a file has mistakes.
    """
    wanted = read_lose(",".join(lose))
    kept = load_bundle(bundle) if bundle else None
    book = inventory_of(kept, str(bundle)) if kept else load_inventory(inventory)
    targets = list(book.targets.values()) if kept and not environments else choose(book, environments)
    pinned = any(target.environment.cluster_id for target in targets)
    probes = [*PROBES, *([CLUSTER] if pinned or change else []), *([SIZES] if change and change.plan else [])]
    answers = kept_answers(kept, targets, probes) if kept else ask_all(targets, probes, seconds, follow=follow)
    return [_look(target, answers, topics, wanted, change) for target in targets]


def _look(
    target: Target,
    answers: Answers,
    topics: Sequence[str],
    lose: Sequence[tuple[str, str]],
    change: ChangeRequest | None,
) -> Analysis:
    facts = {probe: fact for (environment, probe), fact in answers.items() if environment == target.name}
    pinned = facts.get(CLUSTER)
    if pinned is not None and (wrong := wrong_cluster(target, pinned)):
        return not_looked_at(target.name, wrong)
    if change is None:
        return analyze(target.name, facts, topics, lose)
    return analyze_change(target.name, facts, topics, lose, change)
