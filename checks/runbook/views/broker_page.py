"""Which targets of Prometheus show a broker's metrics, and which of them are one process under two addresses."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.model.fact import Fact, Observed
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_SHOWS_NONE = -1


class BrokerPage(Row):
    """A broker, as Prometheus scrapes it."""

    broker: Annotated[BrokerId, Cell("Its node id.", key=True)]
    answers: Annotated[bool | None, Cell("Whether it accepts connections of clients.")]
    targets: Annotated[
        list[str] | None,
        Cell("Targets that show its metrics; unknown if none does and one shows no node id, or can't be scraped."),
    ]
    copies: Annotated[
        list[str] | None,
        Cell("Targets of one job that show the very same process of this broker: more than one, or none."),
    ]


VIEW = View(
    help="One row per broker.",
    row=BrokerPage,
    inputs={
        "page": Input("prometheus_broker_page", columns=("job", "instance", "node", "started_ms")),
        "broker": Input("kafka_broker", columns=("broker", "answers")),
    },
    version=1,
)


def compute(*, page: Fact, broker: Fact) -> Observed:
    """Work it out from prometheus_broker_page and kafka_broker."""
    pages = [*page.rows("job", "instance", "node", "started_ms")]
    decided = page.complete and all(row["node"] is not None and row["started_ms"] is not None for row in pages)
    all_shown = all(row["node"] != _SHOWS_NONE for row in pages)
    return Observed(
        rows=[
            _row(broker=number, answers=answers, pages=shown, known=decided and (bool(shown) or all_shown))
            for number, answers in zip(broker.columns["broker"], broker.columns["answers"], strict=True)
            for shown in [[row for row in pages if row["node"] == number]]
        ]
    )


def _row(*, broker: BrokerId, answers: bool | None, pages: Sequence[Mapping[str, Any]], known: bool) -> BrokerPage:
    processes: dict[tuple[str, int], list[str]] = {}
    for row in pages:
        processes.setdefault((row["job"], row["started_ms"]), []).append(row["instance"])
    copies = next((sorted(of) for of in processes.values() if len(of) > 1), [])
    return BrokerPage(
        broker=broker,
        answers=answers,
        targets=sorted({row["instance"] for row in pages}) if known else None,
        copies=copies if known else None,
    )
