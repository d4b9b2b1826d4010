"""Brokers that a fault started anew and that did not come into service: another fault than was meant."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from kafka_lab.admin import metadata
from kafka_lab.errors import LabError
from kafka_lab.processes import Process
from kafka_lab.state import LabBroker, LabState
from kafka_lab.waiting import saying, wait_until

_WITHIN: Final = 30.0


def processes_of(lab: LabState | None) -> dict[int, Process | None]:
    """The process of each broker of a lab's own cluster; none where there is no lab."""
    return {broker.number: broker.process for broker in lab.brokers} if lab else {}


def missing(
    lab: LabState,
    before: Mapping[int, Process | None],
    progress: Callable[[str], None] | None = None,
    *,
    within: float = _WITHIN,
) -> Iterator[str]:
    """Say of each broker that has another process than before, and is not in service, that it isn't, and where to read.

    What a fault stops for good keeps its process, and is not meant: only what is started again is to live.

    Args:
        lab: after the fault.
        before: `processes_of` it, before the fault.
        progress: told what is waited for, if that lasts.
        within: seconds to wait for a broker that runs and is not in service yet.
    """
    for broker in lab.brokers:
        if broker.number not in before or before[broker.number] == broker.process:
            continue
        try:
            with saying(progress):
                wait_until(
                    partial(_is_settled, lab, broker), f"broker {broker.number} to come into service", within=within
                )
        except LabError:
            told = f"broker {broker.number} was started anew and is not in service after {within:.0f} s more"
            yield f"{told}: {lab.log_of(broker)}"
            continue
        if broker.condition == "stopped":
            output = lab.log_of(broker).with_suffix(".out")
            yield f"broker {broker.number} was started anew and has ended, so that it is gone; why: {output}"


def _is_settled(lab: LabState, broker: LabBroker) -> bool:
    """Whether it has ended, or answers and counts itself among the brokers in service."""
    return broker.condition == "stopped" or broker.number in metadata(lab, broker.address).brokers
