"""Three brokers with tiered storage that show metrics; one topic's oldest records are only in the remote store."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from kafka_lab import LabState
from kafka_lab.jars import KAFKA_VERSION
from kafka_lab.parts import jmx
from runbook.model.result import Outcome
from support.evidence.expected import Expected
from support.evidence.fault import fault_scene
from support.evidence.labs import kafka_lab

_ANY: Final = tuple(Outcome)
_UPLOADED: Final = frozenset(
    {
        "tiered-uploads-succeed",
        "tiered-uploads-keep-up",
        "the-remote-store-shrinks-with-retention",
    }
)
_WELL: Final = {
    "capacity": Expected(passes=_UPLOADED, others=_ANY),
    "topics": Expected(
        passes=frozenset(
            {"the-index-of-the-remote-store-is-kept", "tiered-topics-keep-less-locally", "topics-have-a-bound"}
        ),
        others=_ANY,
    ),
}
_GONE: Final = {
    "capacity": Expected(fails={"tiered-uploads-succeed": "", "old-records-can-be-read": ""}, others=_ANY),
    "topics": Expected(others=_ANY),
}


def systems() -> dict[str, str]:
    """What such a lab runs."""
    return {"kafka": KAFKA_VERSION, "jolokia": jmx.JOLOKIA}


def lacking() -> str:
    """Nothing but Java, which comes with the tests."""
    return ""


def lab(folder: Path) -> AbstractContextManager[LabState]:
    """Such a lab; what could be uploaded is."""
    return kafka_lab("tiered", folder, ["jmx", "tiered"])


SCENES = [fault_scene("lose-remote-store", _WELL, _GONE, module=__name__)]
