"""The report of one environment that was named, where its links are judged too: each end of them by itself."""

from collections.abc import Iterator

from msgspec.structs import replace

from runbook.model.run import Head, Run


def each_end(run: Run) -> Iterator[Run]:
    """The run for each environment alone, as if it had been of that one; a link is judged where it ends."""
    for head in run.heads:
        mine = [result for result in run.results if result.environment == head.environment]
        over_link = any(result.subject_kind == "link" for result in mine)
        others: list[Head] = [other for other in run.heads if other is not head] if over_link else []
        diagnoses = [diagnosis for diagnosis in run.diagnoses if diagnosis.environment == head.environment]
        yield replace(run, heads=[head], ends=[*run.ends, *others], results=mine, diagnoses=diagnoses)
