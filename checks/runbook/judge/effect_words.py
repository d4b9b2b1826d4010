"""What a check's `effect` says: counts of rows, values of parameters and sites stand where it names them in braces."""

import re
from collections.abc import Mapping
from typing import Any, Final

from runbook.judge.template import show
from runbook.model.block import Check

_VALUE = re.compile(r"\{((?:params|link)\.\w+)\}")
_NAMED = re.compile(r"\{([\w.]+)\}")
_COUNTS = ("failed", "judged")
_SITES: Final = {"link.source": "the primary", "link.target": "the standby"}
"""What a check over a link may name besides, and what its page says for it."""


def worded(effect: str, failed: int | str, judged: int | str, values: Mapping[str, Any]) -> str:
    """The effect with `{failed}`, `{judged}`, each `{params.NAME}`, and of a link its sites, filled in.

    Args:
        effect: as it was written.
        failed: how many rows offend.
        judged: of how many.
        values: what `params.x` and `link.x` stand for.
    """
    counted = effect.replace("{failed}", str(failed)).replace("{judged}", str(judged))
    return _VALUE.sub(lambda named: show(values.get(named[1])), counted)


def by_default(check: Check) -> str:
    """The effect as the check's page shows it: N of M rows, and the parameters' defaults."""
    defaults = {f"params.{name}": parameter.default for name, parameter in check.params.items()}
    return worded(check.effect, "N", "M", defaults | _SITES)


def names_of(check: Check) -> list[str]:
    """What the effect of a check may name in braces."""
    return [*_COUNTS, *(f"params.{name}" for name in check.params), *(_SITES if check.over == "link" else ())]


def strange_names(check: Check) -> list[str]:
    """What the effect names in braces and nothing stands for."""
    return [name for name in _NAMED.findall(check.effect) if name not in names_of(check)]
