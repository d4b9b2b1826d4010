"""The report of one environment that was named, where its links are judged too: each end of them by itself."""

from msgspec import Struct
from msgspec.structs import replace

from runbook.model.run import Head, Run
from runbook.reports._unseen import unseen


class SiteRun(Struct, frozen=True):
    """One environment of a run.

    Attributes:
        run: as if it had been of that one alone; a link is judged where it ends.
        explained: nothing of it could be looked at, and a cause that was found at another end is told before it.
    """

    run: Run
    explained: bool = False


def per_site_runs(run: Run) -> list[SiteRun]:
    """The environments of a run, that which cannot be looked at last where the cause is told by another of them."""
    told = _is_explained(run)
    runs = [_alone(run, head) for head in run.heads]
    ends = [SiteRun(one, told and not _is_explained(one) and bool(unseen(one.results))) for one in runs]
    return sorted(ends, key=lambda end: end.explained)


def _alone(run: Run, head: Head) -> Run:
    mine = [result for result in run.results if result.environment == head.environment]
    over_link = any(result.subject_kind == "link" for result in mine)
    others: list[Head] = [other for other in run.heads if other is not head] if over_link else []
    diagnoses = [diagnosis for diagnosis in run.diagnoses if diagnosis.environment == head.environment]
    return replace(run, heads=[head], ends=[*run.ends, *others], results=mine, diagnoses=diagnoses)


def _is_explained(run: Run) -> bool:
    return any(diagnosis.named for diagnosis in run.diagnoses)
