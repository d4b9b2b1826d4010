"""Quantities as Kubernetes writes them."""

import re
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final

from runbook.model.errors import Garbled

_GREATEST = 2**63
"""No quantity is greater: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/."""

_QUANTITY: Final = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?P<prefix>[numkKMGTPE]?)(?P<binary>(?<=[KMGTPE])i)?"
)
_POWERS: Final = {"n": -3, "u": -2, "m": -1, "": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def quantity(value: Any, *, scale: int = 1) -> int:
    """Read a quantity such as 500m or 4Gi, times `scale` (1000 gives thousandths of a CPU); 0 for none.

    Raises:
        Garbled: it is no quantity.
    """
    if value is None or value == "":
        return 0
    if (found := _QUANTITY.fullmatch(str(value))) is not None:
        power = Decimal(1024 if found["binary"] else 1000) ** _POWERS[found["prefix"]]
        with suppress(ArithmeticError):
            size = Decimal(found["number"]) * power * scale
            # A few characters may mean a number of a billion digits, which would take minutes to write out.
            if abs(size) < _GREATEST:
                return int(size)
    raise Garbled(f"{str(value)[:40]!r} is no quantity of Kubernetes")
