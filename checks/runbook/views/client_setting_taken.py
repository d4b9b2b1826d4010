"""Whether Kafka's Java clients take the values that they are given in their files."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from runbook.formats.kafka_settings import Kind
from runbook.formats.kafka_settings.by_release import known, verdict
from runbook.formats.setting_names import is_of_java
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.safety.secret import HIDDEN
from runbook.views._producer_defaults import WITHIN

Settings = Mapping[str, Mapping[str, Any]]
"""Setting -> its row."""


class ClientSettingTaken(Row):
    """A setting of a client."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, connect (a worker).", key=True)]
    setting: Annotated[str, Cell("Name, as Kafka's Java clients call it.", key=True, entity="setting")]
    file: Annotated[str, Cell("The file it comes from.")]
    line: Annotated[int, Cell("Line of that file, from 1.")]
    refused: Annotated[
        str | None, Cell("Why Kafka refuses it, in its words; empty if not, unknown where it can't be told.")
    ]


VIEW = View(
    help="One row per client, kind and setting of Kafka's Java clients and Connect workers.",
    row=ClientSettingTaken,
    inputs={
        "config": Input(
            "client_config",
            columns=("client", "kind", "setting", "value", "file", "line", "spring"),
            needs=("file", "spring"),
        ),
    },
    leaves_out="settings of Streams, connectors and MirrorMaker themselves, and of clients of no known kind",
    parameters={
        "releases": Parameter(
            type="list[string]", help="releases of Kafka's Java clients in use; not known if not given"
        )
    },
)

_KINDS: Mapping[str, Kind] = {"producer": "producer", "consumer": "consumer", "admin": "admin", "connect": "connect"}
_OF_WORKER = frozenset({"offset.storage.topic", "config.storage.topic"})
_STANDALONE = "offset.storage.file.filename"
_IN_FLIGHT = "max.in.flight.requests.per.connection"
_MOST_IN_FLIGHT = 5  # of an idempotent producer: RD_KAFKA_IDEMP_MAX_INFLIGHT
_ON_HOST = re.compile(r"[^/\s]+:/")  # as client_config names a file that is read on a host


def compute(*, config: Fact, releases: Sequence[str] | None = None) -> Observed:
    """Work it out from client_config: a client that is not told to be Java's, and would be refused, is a gap."""
    by_client: dict[str, dict[str, dict[str, Mapping[str, Any]]]] = defaultdict(lambda: defaultdict(dict))
    for row in config.rows():
        if not row.get("ignored_because"):
            by_client[row["client"]][row["kind"]][row["setting"]] = row
    rows: list[ClientSettingTaken] = []
    gaps: list[Gap] = []
    for client, kinds in by_client.items():
        for name in kinds:
            kind = _kind(name, kinds[name])
            if kind is None or "mirrormaker" in kinds:
                rows += [_row(row, said) for row in kinds[name].values() if (said := _before_kafka(row, kinds[name]))]
            else:
                found, lacking = _of_client(kind, kinds[name], releases or [], _around(kinds, name))
                rows += found
                gaps += [Gap(f"client {client}: {said}", {"client": client}) for said in lacking]
    return Observed(rows=rows, gaps=gaps)


def _kind(name: str, settings: Settings) -> Kind | None:
    if name == "connect" and _STANDALONE in settings:
        return "connect-standalone"
    return None if name == "connect" and not _OF_WORKER & settings.keys() else _KINDS.get(name)


def _around(kinds: Mapping[str, Settings], name: str) -> dict[str, str | None] | None:
    """What Connect and Streams give a client within; None where it is in neither.

    Connect: Worker.baseProducerConfigs and baseConsumerConfigs. Streams: StreamsConfig, PRODUCER_DEFAULT_OVERRIDES,
    PRODUCER_EOS_OVERRIDES and getMainConsumerConfigs.
    """
    if name not in ("producer", "consumer", "admin"):
        return None
    if "connect" in kinds:
        return {"group.id": "connect"} if name == "consumer" else {**WITHIN["connect"]} if name == "producer" else {}
    if "streams" not in kinds or any(row["spring"] for row in kinds["streams"].values()):
        return None
    if name == "consumer":
        return {"group.id": "streams", "enable.auto.commit": "false"}
    guarantee = kinds["streams"].get("processing.guarantee", {"value": ""})["value"]
    exactly = guarantee is None or guarantee.startswith("exactly_once")
    forced = {"enable.idempotence": None if guarantee is None else "true"} if exactly else {}
    return {**WITHIN["streams"], **forced} if name == "producer" else {}


def _by_librdkafka(settings: Settings) -> set[str]:
    """Settings of an idempotent producer that librdkafka refuses (rd_kafka_conf_finalize).

    Each only where a file says it; otherwise librdkafka adjusts it.
    """
    said = {name: (row["value"] or "").strip().lower() for name, row in settings.items()}
    if said.get("enable.idempotence") != "true":
        return set()
    acks, retries, in_flight = (said.get(name, "") for name in ("acks", "retries", _IN_FLIGHT))
    wrong = {"acks": acks in ("0", "1"), "retries": retries == "0"}
    return {name for name, is_so in wrong.items() if is_so} | (
        {_IN_FLIGHT} if in_flight.isdecimal() and int(in_flight) > _MOST_IN_FLIGHT else set()
    )


def _of_client(
    kind: Kind, settings: Settings, releases: Sequence[str], around: Mapping[str, str | None] | None
) -> tuple[list[ClientSettingTaken], list[str]]:
    """Rows, and what can't be said; `around` is what a framework gives the client before its files do."""
    by = known(kind, releases)
    if not by:
        return [], [f"what Kafka {', '.join(releases)} takes is not known here"]
    found = verdict(kind, {**(around or {}), **_given(settings)}, by, whole=False)
    words = [says for every in found.refused.values() for says in every]
    java = any(map(is_of_java, settings)) or any(row["spring"] or row.get("framework") for row in settings.values())
    if words and kind in ("producer", "consumer", "admin") and around is None and not java:
        both = _by_librdkafka(settings) & found.refused.keys()
        of_java = [says for name, every in found.refused.items() if name not in both for says in every]
        gaps = [f"not known to be one of Kafka's Java clients, which would refuse it: {'; '.join(of_java)}"]
        rows = [_row(settings[name], f"{found.refused[name][0]} (librdkafka refuses it, too)") for name in sorted(both)]
        return rows, gaps if of_java else []
    if not words and any(_ON_HOST.match(row["file"]) for row in settings.values()):
        return [], ["on hosts only settings of a list are read: what others are given is not seen"]
    rows = [
        _row(
            row,
            _either(
                _before_kafka(row, settings), "; ".join(found.refused.get(name, ())), unknown=name in found.unknown
            ),
        )
        for name, row in settings.items()
        if name not in found.undecided
    ]
    undecided = [(name, said) for name, said in found.undecided.items() if name in settings]
    return rows, [f"{name}, line {settings[name]['line']}: {said}" for name, said in undecided]


def _row(row: Mapping[str, Any], refused: str | None) -> ClientSettingTaken:
    return ClientSettingTaken(
        client=row["client"],
        kind=row["kind"],
        setting=row["setting"],
        file=row["file"],
        line=row["line"],
        refused=refused,
    )


def _either(before: str | None, of_kafka: str, *, unknown: bool) -> str | None:
    return before or of_kafka or (None if unknown or before is None else "")


def _before_kafka(row: Mapping[str, Any], settings: Settings) -> str | None:
    """Why a framework or the parser of logins refuses a setting; a client reads logins if its protocol is SASL_…."""
    says: str = row.get("refused") or ""
    if not says or not row["setting"].endswith("sasl.jaas.config"):
        return says
    protocol = settings.get("security.protocol", {}).get("value")
    return None if protocol is None else says if protocol.upper().startswith("SASL_") else ""


def _given(settings: Settings) -> dict[str, str | None]:
    """What the files say; None for what stands elsewhere, what a framework refuses, and what may not be seen."""
    values = {name: None if row.get("refused") else row["value"] for name, row in settings.items()}
    return {name: None if value is None or HIDDEN in value else value for name, value in values.items()}
