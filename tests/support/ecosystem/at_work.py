"""Who walks procedures at the lab with a registry and Connect: an inventory that gates take, and applications."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka_lab import LabState, registry
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.waiting import wait_until
from support import wrong_schemas
from support.careful_walker import RUNBOOK
from support.ecosystem.lab import changed
from support.ecosystem.numbered_avro import OLD, WITH_NOTE, AvroReader, AvroWriter
from support.numbered_records import GROUP, PARTITIONS, TOPIC
from support.operators import Operator
from support.two_sites_move import forget, place

SUBJECT: Final = f"{TOPIC}-value"
LATE: Final = 4  # seconds after which a record that is not read is one that can't be
_GETS_ON = 60.0
_NEXT: Final = f"{TOPIC}.v2"


def operator(lab: LabState, folder: Path, params: Mapping[str, Any] | None = None) -> Operator:
    """Somebody with Kafka's tools, this one, and an inventory by which the lab is reached without a login."""
    reached = {"kafka": {"bootstrap.servers": lab.bootstrap}, "may_read": ["deliveries", TOPIC, _NEXT]}
    document = changed(lab, reached, absent={"tls": "nothing is tried from outside"}, late=LATE, params=params)
    (folder / "environments.yaml").write_text(json.dumps(document), "utf-8")
    person = Operator(lab, folder)
    (person.path / "runbook").symlink_to(RUNBOOK)
    return person


@contextmanager
def at_work(lab: LabState, folder: Path) -> Iterator[Operator]:
    """Somebody at a lab where numbered records are written and read by a schema, under BACKWARD; gone in the end."""
    create_topics(lab, {TOPIC: (PARTITIONS, 3, {"min.insync.replicas": "2"})})
    number = registry.register(lab, SUBJECT, WITH_NOTE)
    registry.set_level(lab, "BACKWARD", SUBJECT)
    place(lab, GROUP, TOPIC, [0] * PARTITIONS)
    person = operator(lab, folder)
    try:
        person.reader = AvroReader(person.ledger, lab, OLD).__enter__()
        person.writer = AvroWriter(person.ledger, lab, WITH_NOTE, number, [TOPIC]).__enter__()
        wait_until(lambda: person.ledger.read_of(lab.name), "the numbered records to be worked on", within=_GETS_ON)
        yield person
    finally:
        person.stops()
        forget(lab, GROUP)
        delete_topics(lab, [TOPIC, _NEXT])
        for subject in (SUBJECT, f"{_NEXT}-value"):
            wrong_schemas.forget_subject(lab, subject)
