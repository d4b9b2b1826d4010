"""Whether an environment is the cluster that the inventory pins it to, for commands that judge nothing themselves."""

from runbook.model.fact import Fact, Gap
from runbook.model.sentence import shown
from runbook.parse.inventory import Target
from runbook.run.collection.collected_facts import Facts
from runbook.run.planning.plan import HEAD, Judgement, head_of

CLUSTER = HEAD
"""The probe that tells which cluster it is."""


def wrong_cluster(target: Target, cluster: Fact) -> str:
    """Why an environment is not known to be the cluster it is pinned to; empty if it is, or is pinned to none.

    Args:
        target: with the pin, if there is one.
        cluster: what `CLUSTER` told of it.
    """
    pinned = target.environment.cluster_id
    if not pinned or cluster.inapplicable:
        return ""
    found = next(iter(cluster.columns.get("cluster_id", [])), None)
    if found is None:
        why = shown(*(gap.reason for gap in cluster.gaps)) or "it does not say"
        return f"whether this is cluster {pinned} could not be found out: {why}"
    return f"this is cluster {found}; the inventory pins {target.name} to {pinned}" if found != pinned else ""


def untold(judgement: Judgement, facts: Facts) -> list[Gap]:
    """Why an environment that a check reads does not tell whether it is the cluster that it is pinned to."""
    heads = [
        facts[head_of(target)][""]
        for target in judgement.asked
        if target.environment.cluster_id and head_of(target) in facts
    ]
    return [gap for head in heads if not len(head) for gap in head.gaps]
