"""A probe that puts secrets into everything it says: cells, keys, gaps, exceptions, and what is printed on the way."""

import base64
import json
import logging
import os
from typing import Annotated, Any
from urllib.parse import quote

from runbook.model.errors import Denied
from runbook.model.fact import Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.row import Cell, Row


class LeakyFact(Row):
    """What it gives."""

    name: Annotated[str, Cell("A form of it.", key=True, entity="topic")]
    text: Annotated[str, Cell("A sentence with it.")]
    words: Annotated[list[str], Cell("A list with it.")]
    settings: Annotated[dict[str, str], Cell("A configuration with it.")]


PROBE = Probe(
    connections=("leaky",),
    help="One row per secret.",
    row=LeakyFact,
    requests=("Nothing",),
    rights=("None",),
    parameters={"how": Parameter(type="string", default="rows", help="rows, gaps, raise or deny")},
)


def forms(secret: str) -> list[str]:
    """What becomes of a secret on its way through libraries and messages."""
    coded = base64.b64encode(f"runbook:{secret}".encode()).decode()
    third = max(1, len(secret) // 3)
    cut = "\n".join(secret[i : i + third] for i in range(0, len(secret), third))
    return [
        secret,
        coded,
        "\n  ".join(coded[i : i + 16] for i in range(0, len(coded), 16)),
        base64.urlsafe_b64encode(secret.encode()).decode(),
        quote(secret, safe=""),
        f"kafka://runbook:{quote(secret)}@broker:9092/",
        f"jdbc:x://h/?user=a&password={secret}",
        json.dumps({"sasl.password": secret}),
        repr({"sasl.password": secret}),
        cut,
        json.dumps(cut),
    ]


def observe(leaky: Any, how: str = "rows") -> Observed:
    """Observe in the manner asked for."""
    said = [form for secret in leaky.secrets for form in forms(secret)]
    print(said)  # noqa: T201 - that is the fault
    logging.getLogger("leaky").critical("%s", said)
    os.write(2, repr(said).encode())
    if how == "raise":
        raise RuntimeError(" ".join(said))
    if how == "deny":
        raise Denied(f"{said} of {dict(os.environ)}")
    if how == "gaps":
        return Observed([], [Gap(f"no answer from {form}", {"host": form}) for form in said])
    return Observed(
        [LeakyFact(name=form, text=f"it says {form}!", words=[form], settings={f"x{form}": form}) for form in said]
    )
