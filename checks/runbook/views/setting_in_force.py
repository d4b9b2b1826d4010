"""What one setting of producers or of consumers comes to in each client: by its files, or by its library's default."""

from collections.abc import Callable, Sequence
from typing import Annotated

from runbook.formats.setting_names import is_of_java
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import _client_defaults, _producer_defaults
from runbook.views._client_defaults import LIBRARIES, Library


class SettingInForce(Row):
    """A producer or consumer."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    value: Annotated[str | None, Cell("Value in force; unknown for a variable, or if the library decides.")]
    values: Annotated[
        list[str] | None, Cell("What it may be: one value, or the defaults of the libraries that may be.")
    ]
    number: Annotated[int | None, Cell("The value as a whole number.")]
    numbers: Annotated[list[int] | None, Cell("What it may be, as whole numbers.")]
    default: Annotated[
        int | None,
        Cell("What its library takes where no file says it, as a whole number; unknown if libraries differ."),
    ]
    said: Annotated[bool, Cell("Whether a file says it; otherwise the value is a default.")]
    shown: Annotated[str, Cell("What it may be, in words: 16384, or 0 or 5, by default; empty if nothing is known.")]


VIEW = View(
    help="One row per client of a kind: the value in force of the setting asked for.",
    row=SettingInForce,
    leaves_out="clients of other kinds, as those inside of Streams and Connect",
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
    },
    parameters={
        "setting": Parameter(type="string", default="", help="name, as Kafka's Java clients call it"),
        "kind": Parameter(type="string", default="producer", help="producer or consumer"),
        "libraries": LIBRARIES,
    },
)


def compute(
    *, config: Fact, setting: str = "", kind: str = "producer", libraries: Sequence[str] | None = None
) -> Observed:
    """Pick one setting out of client_config; a client of which anything is known has a row."""
    found: dict[str, dict[str, str | None]] = {}
    for row in config.rows():
        if row["kind"] == kind:
            found.setdefault(row["client"], {})[row["setting"]] = row["value"]
    library = _client_defaults.libraries(libraries or ())
    default = _producer_defaults.possible if kind == "producer" else _client_defaults.possible
    return Observed(
        rows=[_row(client, setting, said, library(client), default) for client, said in sorted(found.items())]
    )


def _row(
    client: str,
    setting: str,
    said: dict[str, str | None],
    library: Library | None,
    default: Callable[[str, Library | None], list[str]],
) -> SettingInForce:
    if library is None and any(map(is_of_java, said)):
        library = Library("java", ())
    written, defaults = said.get(setting), default(setting, library)
    values = [written] if written is not None else [] if setting in said else defaults
    numbers = [int(value) for value in values if value.strip().isdecimal()]
    whole = bool(numbers) and len(numbers) == len(values)
    return SettingInForce(
        client=client,
        value=values[0] if len(values) == 1 else None,
        values=values or None,
        number=numbers[0] if whole and len(numbers) == 1 else None,
        numbers=sorted(numbers) if whole else None,
        default=int(defaults[0]) if len(defaults) == 1 and defaults[0].isdecimal() else None,
        said=setting in said,
        shown=" or ".join(values) + (", by default" if values and setting not in said else ""),
    )
