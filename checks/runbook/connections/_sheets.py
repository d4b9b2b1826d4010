"""The metrics of many JVMs, each asked at an address of its own: what Jolokia's agents and exporters' pages share.

It is no connection by itself; the underscore keeps it out of the catalog.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from runbook.connections._http import each
from runbook.formats.metrics import Sheet, Sheets
from runbook.formats.metrics.table import name_of, require_identity
from runbook.model.errors import CannotLook
from runbook.model.fact import Gap
from runbook.model.probe import Deadline

K = TypeVar("K", int, str)


def ask_each(addresses: Mapping[K, str], ask: Callable[[K, str], Sheet], clock: Deadline, who: str) -> Sheets:
    """Ask all of them side by side.

    Args:
        addresses: by node id, or by the application's name.
        ask: asks one of them; a CannotLook it raises leaves a gap about that JVM.
        clock: the time for it.
        who: what answers there, as sentences begin.
    """

    def known(jvm: K, address: str) -> Sheet:
        sheet = ask(jvm, address)
        require_identity(sheet)
        return sheet

    sheets, gaps = [], []
    for jvm, answer in each(addresses, known, clock).items():
        if isinstance(answer, CannotLook):
            keys: dict[str, str | int] = {"broker": jvm} if isinstance(jvm, int) else {}
            gaps.append(Gap.of(answer, keys, f"{who} of {name_of(jvm)} ({addresses[jvm]}) {answer}"))
        else:
            sheets.append(answer)
    return sheets, gaps
