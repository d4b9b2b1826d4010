"""Whether Kafka's clients know the settings that they are given in their files, by name."""

import re
from collections import defaultdict
from typing import Annotated

from runbook.formats.setting_names import CLIENT, WORKER, alike, is_of_java, is_of_librdkafka, releases, unknown
from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class ClientSettingKnown(Row):
    """A client."""

    client: Annotated[str, Cell("Name of the client in the inventory.", key=True)]
    kind: Annotated[str, Cell("producer, consumer, admin, connect (a worker); empty: unclear.", key=True)]
    setting: Annotated[str, Cell("Name, as Kafka's Java clients call it.", key=True, entity="setting")]
    file: Annotated[str, Cell("The file it comes from.")]
    line: Annotated[int, Cell("Line of that file, from 1.")]
    known: Annotated[bool, Cell(f"Whether {releases(CLIENT)} know it, or leave it to plugins.")]
    like: Annotated[str, Cell("The known name that is most like it; empty if it is known, or none is.")]
    of_librdkafka: Annotated[bool, Cell("Whether it is librdkafka's own, in a client of Java.")]


VIEW = View(
    help="One row per client, kind and setting; without Streams, connectors and MirrorMaker, which have more names.",
    row=ClientSettingKnown,
    leaves_out="settings of Streams, connectors and MirrorMaker, which have more names",
    inputs={
        "config": Input("client_config", columns=("client", "kind", "setting", "file", "line"), needs=("file",)),
    },
    version=3,
)

# What tells the file of a worker from that of a connector, whose names are its plugin's.
_OF_WORKER = frozenset({"offset.storage.topic", "config.storage.topic", "offset.storage.file.filename"})
_LEFT_OUT = frozenset({"streams", "mirrormaker"})
_LOGIN = frozenset({"sasl.username", "sasl.password"})  # of librdkafka, which has no logins of JAAS
_ON_HOST = re.compile(r"[^/\s]+:/")  # as client_config names a file that is read on a host


def compute(*, config: Fact) -> Observed:
    """Work it out from client_config; on hosts only listed settings are read, so that others are not seen: a gap."""
    by_client = defaultdict(list)
    for row in config.rows():
        if not row.get("ignored_because"):
            by_client[row["client"]].append(row)
    rows: list[ClientSettingKnown] = []
    gaps = []
    for client, settings in by_client.items():
        names = {row["setting"] for row in settings}
        kinds = {row["kind"] for row in settings}
        if kinds & _LEFT_OUT or ("connect" in kinds and not names & _OF_WORKER):
            continue
        if any(_ON_HOST.match(row["file"]) for row in settings):
            gaps.append(
                Gap(f"client {client}: on hosts only settings of a list are read, so that no other name is seen")
            )
            continue
        of: tuple[str, ...] = WORKER if "connect" in kinds else CLIENT
        # What Java's clients alone know says that this is one of them: librdkafka's own names do nothing there.
        of = tuple(kind for kind in of if kind != "librdkafka") if any(map(is_of_java, names)) else of
        rows += [
            ClientSettingKnown(
                client=client,
                kind=row["kind"],
                setting=row["setting"],
                file=row["file"],
                line=row["line"],
                known=not unknown(row["setting"], of),
                like=_like(row["setting"], of) if unknown(row["setting"], of) else "",
                of_librdkafka=is_of_librdkafka(row["setting"]) and unknown(row["setting"], of),
            )
            for row in settings
        ]
    return Observed(rows=rows, gaps=gaps)


def _like(name: str, kinds: tuple[str, ...]) -> str:
    return "sasl.jaas.config" if name in _LOGIN else alike(name, kinds)
