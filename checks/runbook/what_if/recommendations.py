"""Compute recommendations for settings: the views of the checks that recommend, for each environment."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final

from msgspec import Struct

from runbook.model.block import Objective
from runbook.model.fact import Fact
from runbook.model.gap_kind import GapKind
from runbook.model.objective import Ranking
from runbook.model.sentence import each_shown
from runbook.plugins.catalog import catalog
from runbook.run.check_run import CheckRun
from runbook.run.planning.plan import Judgement

CHECKS: Final = "throughput-latency/recommended-*"
"""The checks that recommend."""
_VIEW: Final = "recommended_"
"""How the names of the views begin whose rows are recommendations."""
COMPARED: Final[tuple[Objective, ...]] = ("throughput", "latency")
"""The objectives between which formulas differ."""


class Recommended(Struct, frozen=True):
    """A recommendation.

    Attributes:
        subject: whose setting it is, as `client clicking of clicks`.
        cells: of the row, as the view declares them.
    """

    subject: str
    cells: dict[str, Any]

    @property
    def change(self) -> bool | None:
        """Whether it recommends another value than the one in force; None if that is not known."""
        change: bool | None = self.cells["change"]
        return change


class Recommendations(Struct, frozen=True):
    """What is recommended for one environment.

    Attributes:
        environment: which.
        ranking: its objectives, as they are ranked.
        found: one for each setting, under the objective that ranks higher.
        missing: what was not observed, and would have had recommendations.
        inapplicable: why there can be none there.
        unkept: whether some of it is missing because the bundle does not hold it.
    """

    environment: str
    ranking: list[str]
    found: list[Recommended]
    missing: list[str]
    inapplicable: list[str]
    unkept: bool = False


def recommendations(run: CheckRun, topics: Sequence[str], objective: Objective | None) -> list[Recommendations]:
    """What the judged run recommends.

    Args:
        run: of `CHECKS`, complete.
        topics: patterns of topics; rows of other topics are left out. None: all.
        objective: that is to decide instead of the ranking.
    """
    by_environment: dict[str, list[tuple[Judgement, Fact]]] = {name: [] for name in run.named}
    judged = [judgement for judgement, _ in run.runner.judged() if not judgement.not_applicable_reason]
    for judgement in judged:
        facts, views = run.runner.collected.of(judgement), judgement.compiled.check.views
        advice = [facts[name] for name, request in views.items() if request.view.startswith(_VIEW)]
        wanted = [fact for fact in advice if not topics or "topic" in fact.columns]
        by_environment[judgement.environment] += [(judgement, fact) for fact in wanted]
    return [_of(name, judged, topics, objective) for name, judged in by_environment.items()]


def _of(
    name: str, judged: Sequence[tuple[Judgement, Fact]], topics: Sequence[str], objective: Objective | None
) -> Recommendations:
    ranking = judged[0][0].targets[0].environment.ranking() if judged else Ranking()

    def first(topic: str) -> Objective:
        return next((one for one in ranking.of(topic) if one in COMPARED), COMPARED[0])

    found = [
        Recommended(_subject(fact, row), row)
        for _, fact in judged
        for row in fact.rows()
        if _wanted(row, topics) and row["objective"] == (objective or first(row.get("topic", "")))
    ]
    return Recommendations(
        environment=name,
        ranking=[*ranking.default],
        found=found,
        missing=each_shown(gap.reason for _, fact in judged for gap in fact.gaps),
        inapplicable=list(dict.fromkeys(fact.inapplicable for _, fact in judged if fact.inapplicable)),
        unkept=any(gap.kind == GapKind.NOT_KEPT for _, fact in judged for gap in fact.gaps),
    )


def _wanted(row: Mapping[str, Any], topics: Sequence[str]) -> bool:
    return not topics or any(fnmatchcase(row["topic"], pattern) for pattern in topics)


def _subject(fact: Fact, row: Mapping[str, Any]) -> str:
    """Whose setting it is, by the keys of its row: `client clicking (application clicks)` or `topic orders`."""
    keys = [column.name for column in catalog("views").load(fact.source).VIEW.columns if column.key]
    named = [f"{key} {row[key]}" for key in keys if key not in ("setting", "objective")]
    return " of ".join(reversed(named))
