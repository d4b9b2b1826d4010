"""What a check's `effect` says: counts of rows and values of parameters stand where it names them in braces."""

import re
from collections.abc import Mapping
from typing import Any

from runbook.judge.template import show
from runbook.model.block import Check

_PARAMETER = re.compile(r"\{params\.(\w+)\}")
_NAMED = re.compile(r"\{([\w.]+)\}")
_COUNTS = ("failed", "judged")


def worded(effect: str, failed: int | str, judged: int | str, params: Mapping[str, Any]) -> str:
    """The effect with `{failed}`, `{judged}` and each `{params.NAME}` filled in."""
    counted = effect.replace("{failed}", str(failed)).replace("{judged}", str(judged))
    return _PARAMETER.sub(lambda named: show(params.get(named[1])), counted)


def by_default(check: Check) -> str:
    """The effect as the check's page shows it: N of M rows, and the parameters' defaults."""
    return worded(check.effect, "N", "M", {name: parameter.default for name, parameter in check.params.items()})


def names_of(check: Check) -> list[str]:
    """What the effect of a check may name in braces."""
    return [*_COUNTS, *(f"params.{name}" for name in check.params)]


def strange_names(check: Check) -> list[str]:
    """What the effect names in braces and nothing stands for."""
    return [name for name in _NAMED.findall(check.effect) if name not in names_of(check)]
