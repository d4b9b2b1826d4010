"""Quantities as Kubernetes writes them."""

import importlib
from typing import Any

from runbook.model.errors import Garbled

_GREATEST = 2**63
"""No quantity is greater: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/."""


def quantity(value: Any, *, scale: int = 1) -> int:
    """Read a quantity such as 500m or 4Gi, times `scale` (1000 gives thousandths of a CPU); 0 for none.

    Raises:
        Garbled: it is no quantity.
    """
    if value is None or value == "":
        return 0
    try:
        found = importlib.import_module("kubernetes.utils.quantity").parse_quantity(value) * scale
        # A few characters may mean a number of a billion digits, which would take minutes to write out.
        if abs(found) < _GREATEST:
            return int(found)
    except (ValueError, TypeError, ArithmeticError):
        pass
    raise Garbled(f"{str(value)[:40]!r} is no quantity of Kubernetes")
