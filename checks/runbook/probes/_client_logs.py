"""Samples of what applications log, from the files that the inventory lists."""

from typing import TYPE_CHECKING

from runbook.formats.json_lines import MOST_FIELDS, LogSample
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.plugins.guard import attempt

if TYPE_CHECKING:
    from runbook.connections.files import Files


def samples(files: "Files") -> tuple[dict[str, LogSample], list[Gap]]:
    """Sample the log of each client, once for all who ask: the whole lines at the ends of its files.

    Returns:
        By client; and a gap for each log that can't be read, holds nothing or holds more than is told apart.
    """
    return files.memory.once("samples of client logs", lambda: _samples(files))


def _samples(files: "Files") -> tuple[dict[str, LogSample], list[Gap]]:
    logs, gaps = files.client_logs()
    by_client: dict[str, LogSample] = {}
    for client, read in logs.items():
        sample = LogSample()
        failure = attempt(lambda sample=sample, read=read: sample.add(read()))  # type: ignore[misc]
        if isinstance(failure, CannotLook):
            gaps.append(Gap.of(failure, says=f"the log of client {client}: {failure}"))
            continue
        if sample.lines == 0:
            gaps.append(Gap(f"the log of client {client} holds no whole line yet"))
            continue
        if sample.cut:
            gaps.append(Gap(f"the log of client {client} has more fields than {MOST_FIELDS}: the rest is unread"))
        by_client[client] = sample
    return by_client, gaps
