"""What recommendations of settings have in common: the value in force, what a formula gives, what the change costs."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Final, NamedTuple

from runbook.formats.setting_names import is_of_java
from runbook.model.fact import Fact
from runbook.model.row import Cell, Row
from runbook.views._client_defaults import Library, libraries

THROUGHPUT: Final = "throughput"
LATENCY: Final = "latency"
OBJECTIVES: Final = (THROUGHPUT, LATENCY)
"""The objectives between which advice on batches and fetches differs."""
_IN_FULL: Final = 100  # numbers from which no decimals are written


class Recommendation(Row):
    """A setting of a client, topic or broker, and what a formula gives for it."""

    setting: Annotated[str, Cell("Name, as Kafka calls it.", key=True, entity="setting")]
    objective: Annotated[str, Cell("Objective that asks for it: throughput or latency.", key=True)]
    in_force: Annotated[str | None, Cell("Value in force.", why="lacking")]
    place: Annotated[str, Cell("Where that is read: FILE:LINE, a default of a library, a system; empty if unknown.")]
    recommended: Annotated[
        str | None, Cell("Value that the formula gives; the one in force where it is right.", why="lacking", moves=True)
    ]
    change: Annotated[
        bool | None, Cell("Whether the formula gives another value than the one in force.", why="lacking", moves=True)
    ]
    lacking: Annotated[str, Cell("What is not known and would decide; empty if nothing is.")]
    formula: Annotated[str, Cell("The formula, in words.")]
    inputs: Annotated[str, Cell("The numbers of this run that it was computed from.", moves=True)]
    trade: Annotated[str, Cell("What the change costs; empty where nothing changes.", moves=True)]
    warning: Annotated[str, Cell("What the change may harm; empty where nothing is known.", moves=True)]
    source: Annotated[str, Cell("Where the formula or its limits come from.")]


class InForceHere(NamedTuple):
    """The value of a setting, and where it is read; without a value, why it is not known."""

    value: str | None
    place: str
    lacking: str = ""

    @property
    def number(self) -> int | None:
        """The value as a whole number; None if it is none or not known."""
        return int(self.value) if self.value is not None and self.value.strip().isdecimal() else None


class Advice(NamedTuple):
    """What a formula gives: without a value, the setting is left; `lacking` says why nothing can be computed."""

    formula: str
    inputs: str = ""
    value: str | None = None
    trade: str = ""
    warning: str = ""
    lacking: str = ""


def told(setting: str, objective: str, here: InForceHere, advice: Advice, source: str) -> dict[str, Any]:
    """The cells of a recommendation but for the keys that say whose it is."""
    value = None if advice.lacking else here.value if advice.value is None else advice.value
    change = None if value is None or here.value is None else value != here.value
    return {
        "setting": setting,
        "objective": objective,
        "in_force": here.value,
        "place": here.place,
        "recommended": value,
        "change": change,
        "lacking": (advice.lacking or here.lacking) if change is None else "",
        "formula": advice.formula,
        "inputs": advice.inputs,
        "trade": "" if change is False else advice.trade,
        "warning": "" if change is False else advice.warning,
        "source": source,
    }


class ClientFiles:
    """The files of clients of one kind, found by what metrics call a client."""

    def __init__(
        self,
        config: Fact,
        kind: str,
        entries: Sequence[str] | None,
        default: Callable[[str, Library | None], list[str]],
    ) -> None:
        """Read client_config; `entries` say the libraries of clients, and `default` gives a library's defaults."""
        self._files: dict[str, dict[str, Mapping[str, Any]]] = {}
        for row in config.rows():
            if row["kind"] == kind:
                self._files.setdefault(row["client"], {})[row["setting"]] = row
        self._library = libraries(entries or ())
        self._default = default

    def of(self, application: str, client: str) -> "ClientSettings":
        """The settings of a client: of the file that has its client.id, or else of the application's."""
        by_id = [said for said in self._files.values() if said.get("client.id", {}).get("value") == client]
        said = by_id[0] if len(by_id) == 1 else self._files.get(application)
        library = self._library(application) or self._library(client)
        if library is None and said is not None and any(map(is_of_java, said)):
            library = Library("java", ())
        return ClientSettings(said, library, self._default)


class ClientSettings(NamedTuple):
    """What is known of a client's settings: its file and its library, as far as they are."""

    said: Mapping[str, Mapping[str, Any]] | None
    library: Library | None
    default: Callable[[str, Library | None], list[str]]

    def of(self, setting: str) -> InForceHere:
        """The value of a setting: of the file, or the default of the library."""
        if self.said is not None and (row := self.said.get(setting)) is not None:
            place = f"{row['file']}:{row['line']}"
            lacking = "" if row["value"] is not None else f"the value in force: {place} leaves it to a variable"
            return InForceHere(row["value"], place, lacking)
        if self.said is None and self.library is None:
            why = "no file of this client is known (`clients` of the inventory), nor its library (`libraries`)"
            return InForceHere(None, "", f"the value in force: {why}")
        values = self.default(setting, self.library)
        if len(values) != 1:
            why = f"its default is one of {', '.join(values)}, by release: declare `libraries`"
            return InForceHere(None, "", f"the value in force: {why}")
        release = ".".join(map(str, self.library.release)) if self.library else ""
        name = self.library.name if self.library else "each library"
        return InForceHere(values[0], f"default of {name} {release}".strip())


def rounded(value: float) -> str:
    """A number as people write it: three digits that count."""
    return f"{value:,.0f}" if value >= _IN_FULL else f"{value:.3g}"


def power_of_two(value: float) -> int:
    """The least power of two that is not below a value."""
    return 1 << max(0, ceil(value) - 1).bit_length()
