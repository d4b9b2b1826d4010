"""Leaves a transaction open: who reads committed records only gets no further in that partition (groups)."""

import time
from collections.abc import Mapping
from typing import Final

from kafka_lab.admin import settings
from kafka_lab.errors import LabError
from kafka_lab.parts import groups
from kafka_lab.state import LabState
from kafka_lab.waiting import wait_until

SEEN_IN = "consumers"
_ID: Final = "parcel-entry"
_PARTITION: Final = 0
_SHOWS: Final = 35.0
_FEW: Final = 30
_WITHIN: Final = 180.0


def inject(lab: LabState) -> None:
    """Begin it in a process of its own, which then only waits."""
    groups.require(lab)
    groups.client(lab, "transaction", "hang", _ID)
    wait_until(lambda: "begun" in groups.said(lab, "transaction"), "the transaction to begin", within=_WITHIN)
    lab.parts["groups"]["open since"] = time.time()


def heal(lab: LabState) -> None:
    """End the process, and have its successor take the transactional id over: that aborts what it left."""
    from confluent_kafka import KafkaException, Producer

    groups.end(lab, "transaction")
    lab.parts["groups"].pop("open since", None)
    try:
        Producer(settings(lab) | {"transactional.id": _ID}).init_transactions(_WITHIN)
    except KafkaException as error:
        raise LabError(f"The transaction of lab {lab.name} could not be ended: {error}") from error
    wait_until(lambda: max(groups.lags(lab).values()) < _FEW, "the reader to catch up", within=_WITHIN)


def evident(lab: LabState) -> Mapping[str, bool]:
    """Whether the reader of committed records stands in that partition alone, and has for a while."""
    since = lab.parts.get("groups", {}).get("open since")
    return {
        "the reader stands before the transaction": groups.lags(lab)[_PARTITION] > _FEW,
        f"it was begun {_SHOWS:.0f} s ago": since is not None and time.time() > since + _SHOWS,
    }
