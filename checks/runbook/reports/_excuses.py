"""What excuses a failure, in words: a waiver of the inventory, or that a commit has it, too."""

from runbook.model.diagnosis import LabelledSentence
from runbook.model.result import Result


def excuses(result: Result) -> list[LabelledSentence]:
    """A line for each, with its label; nothing where nothing is excused."""
    use = result.waiver
    if use is None:
        return []
    share = "" if result.waived else f"{use.rows:,} of {result.failed:,}, "
    said = []
    if use.owner:
        rows = "" if use.base else share
        said.append(LabelledSentence("waived", f"{rows}until {use.expires}, {use.owner}: {use.reason}"))
    if use.base:
        others = " or are waived" if use.owner else ""
        said.append(LabelledSentence("known", f"{share}in {use.base} already{others}"))
    return said


def excuse(result: Result) -> str:
    """The same in one sentence."""
    return "; ".join(f"{said.label} {said.says}" for said in excuses(result))
