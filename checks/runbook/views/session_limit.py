"""The session timeouts of consumers, and the bounds that brokers set to them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.quantity import Milliseconds
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views import consumer_config
from runbook.views._client_defaults import LIBRARIES


class SessionLimit(Row):
    """A consumer that has a session timeout of its own."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    session_timeout: Annotated[Milliseconds | None, Cell("session.timeout.ms; unknown if the library decides.")]
    session_timeouts: Annotated[
        list[int] | None, Cell("What it may be: one value, or the defaults of the libraries that may be.", unit="ms")
    ]
    least: Annotated[Milliseconds | None, Cell("The largest group.min.session.timeout.ms of a broker.")]
    most: Annotated[Milliseconds | None, Cell("The smallest group.max.session.timeout.ms of a broker.")]
    refused: Annotated[bool | None, Cell("Whether no broker takes it, whatever of these it is.")]


VIEW = View(
    help="One row per consumer of the classic protocol: any broker may coordinate its group, so the strictest counts.",
    row=SessionLimit,
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "value")),
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
    },
    parameters={"libraries": LIBRARIES},
)


_LEAST, _MOST = "group.min.session.timeout.ms", "group.max.session.timeout.ms"


def compute(*, config: Fact, setting: Fact, libraries: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config and kafka_broker_setting; of the new protocol, brokers decide themselves."""
    least, most = _strictest(setting, _LEAST, max), _strictest(setting, _MOST, min)
    loosest = _strictest(setting, _LEAST, min), _strictest(setting, _MOST, max)
    there = consumer_config.compute(config=config, libraries=libraries).rows
    rows = [
        SessionLimit(
            client=limit.client,
            session_timeout=limit.session_timeout if limit.protocol else None,
            session_timeouts=limit.session_timeouts if limit.protocol else None,
            least=least,
            most=most,
            refused=_refused(limit.session_timeouts if limit.protocol else None, *loosest)
            if setting.complete
            else None,
        )
        for limit in there
        if limit.protocol != "consumer"
    ]
    gaps = [
        Gap(f"which protocol client {limit.client} speaks is not known") for limit in there if limit.protocol is None
    ]
    return Observed(rows=rows, gaps=gaps)


def _strictest(setting: Fact, name: str, of: Callable[[Iterable[int]], int]) -> Milliseconds | None:
    values = [row["value"] for row in setting.rows("setting", "value") if row["setting"] == name]
    known = [int(value) for value in values if value is not None and value.isdecimal()]
    return Milliseconds(of(known)) if known and len(known) == len(values) else None


def _refused(timeouts: Sequence[int] | None, least: int | None, most: int | None) -> bool | None:
    if not timeouts or least is None or most is None:
        return None
    return all(ms < least or ms > most for ms in timeouts)
