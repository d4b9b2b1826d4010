"""The receipt of a result: what was asked, and what is otherwise than at the look before."""

from collections.abc import Iterable

from runbook.judge.template import show
from runbook.model.result import JudgedRow, Result
from runbook.publish.evidence import LastSeen
from runbook.publish.page import STATUS

FEW = 3  # our judgement: rows that are named; more are counted


def since_before(seen: LastSeen, before: LastSeen) -> str:
    """What is otherwise than at the look before, in one sentence without its end."""
    now, then = seen.result, before.result
    said = [
        f"{STATUS[before.status].word} then, {STATUS[seen.status].word} now" if seen.status != before.status else ""
    ]
    said += [_rows("came", now, then), _rows("went", then, now)]
    if now.check_digest != then.check_digest:
        said.append("the check is defined otherwise")
    if now.params != then.params:
        said.append("its parameters differ")
    return "; ".join(filter(None, said)) or "nothing: the same outcome and the same rows"


def _rows(verb: str, these: Result, those: Result) -> str:
    """The rows of one result that another has not."""
    there = {_key(row) for row in those.rows}
    named = [_key(row) for row in these.rows if _key(row) not in there]
    if not named:
        return ""
    rest = f" and {len(named) - FEW} more" if len(named) > FEW else ""
    return f"{verb}: {_listed(named[:FEW])}{rest}"


def _listed(names: Iterable[str]) -> str:
    return " / ".join(names)


def _key(row: JudgedRow) -> str:
    return ", ".join(f"{column} {show(value)}" for column, value in sorted(row.key.items())) or "all rows together"
