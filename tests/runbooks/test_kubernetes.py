"""What a check of kubernetes.md says on a day that no kept evidence has."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from runbook.evidence.bundle import load_bundle
from runbook.plugins.content import builtin_runbooks
from support.evidence.judging import judged

HEALTHY = builtin_runbooks().parent / "tests" / "cases" / "kubernetes" / "healthy.json"


@pytest.mark.parametrize(
    ("minor", "day", "outcome"),
    [
        (35, "2027-02-27", "pass"),
        (35, "2027-03-01", "fail"),
        (37, "2027-02-27", "pass"),
        (37, "2027-03-01", "unknown"),
    ],
)
def test_a_release_whose_end_is_not_known_here_is_never_taken_for_maintained(
    minor: int, day: str, outcome: str, tmp_path: Path
):
    bundle = load_bundle(HEALTHY)
    [cluster] = [kept for kept in bundle.kept if kept.ask.probe == "kubernetes_cluster"]
    fact = cluster.facts[""]
    at = f"{day}T00:00:00.000Z"
    changed = replace(fact, columns=fact.columns | {"minor": [minor]}, collected_at=at)
    anywhere = {name: replace(environment, cluster_id="") for name, environment in bundle.environments.items()}
    later = replace(bundle, started_at=at, environments=anywhere, kept=[replace(cluster, facts={"": changed})])
    result = judged(later, "kubernetes", tmp_path)["kubernetes-is-supported"]
    assert result.outcome == outcome
    assert outcome != "unknown" or "is newer than what" in result.reason
