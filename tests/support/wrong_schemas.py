"""Schemas that a registry takes and that are wrong all the same, each in ways that one check or a few are about."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_lab import registry
from kafka_lab.state import LabState


class Wrong(NamedTuple):
    """A subject, its type, its level if it has one of its own, and versions to register, the oldest first."""

    subject: str
    kind: str
    level: str
    versions: tuple[str, ...]


def record(name: str, *fields: Mapping[str, Any]) -> str:
    """A record of Avro without a word on what it means."""
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "fields": fields})


_CITY: Final = {"type": "enum", "name": "Tier", "symbols": ["GOLD", "SILVER"]}
CUSTOMER: Final = record(
    "Customer",
    {"name": "name", "type": "string"},
    {"name": "email", "type": ["null", "string"]},
    {"name": "created_at", "type": "long"},
    {"name": "tier", "type": _CITY},
)
"""No default where both directions are promised, null that is none, a time that is a number, no word of explanation."""

PROPOSED: Final = record("Customer", {"name": "name", "type": "long"})
"""What is to be registered next, and would not do."""

_CLICK: Final = """\
syntax = "proto3";
package shop;

message Click {
  string page = 1;
}
"""
_LEADS_NOWHERE: Final = 'syntax = "proto3"; import "gone.proto"; message Parcel { gone.Address to = 1; }'

WRONG: Final = (
    Wrong("parcels-key", "AVRO", "", ('"string"', '"bytes"')),
    Wrong("customers-value", "AVRO", "FULL", (CUSTOMER,)),
    Wrong("clicks-value", "PROTOBUF", "", (_CLICK,)),  # the lab's first version has a field more
    Wrong("broken-value", "PROTOBUF", "", (_LEADS_NOWHERE,)),
    Wrong("gone-value", "AVRO", "", (record("Gone"),)),
    Wrong("misnamed", "AVRO", "", (record("Misnamed"),)),
    Wrong("old-value", "AVRO", "", (record("Old"),)),
)
_OF_THE_LAB: Final = "clicks-value"
DELETED: Final = "old-value"
"""Which of them is deleted, and can be had back."""


def register(lab: LabState) -> None:
    """Let go of every guard, and register them; then open one subject for imports, and close the registry."""
    address = registry.required(lab)
    registry.set_level(lab, "NONE")
    for wrong in WRONG:
        for version in wrong.versions:
            registry.register(lab, wrong.subject, version, wrong.kind)
        if wrong.level:
            registry.set_level(lab, wrong.level, wrong.subject)
    registry.request("DELETE", address, f"/subjects/{DELETED}")
    registry.request("PUT", address, "/mode/payments-value", {"mode": "IMPORT"})
    registry.set_mode(lab, "READONLY")


def forget(lab: LabState) -> None:
    """Open the registry, give its guards back, and delete for good what was registered beside the lab's own."""
    address = registry.required(lab)
    registry.set_mode(lab, "READWRITE")
    registry.request("PUT", address, "/mode/payments-value", {"mode": "READWRITE"})
    registry.set_level(lab, registry.LEVEL)
    for wrong in WRONG:
        if wrong.subject == _OF_THE_LAB:
            registry.delete_version(lab, wrong.subject, "latest")
        else:
            forget_subject(lab, wrong.subject)


def forget_subject(lab: LabState, subject: str) -> None:
    """Delete a subject for good, if it is there or was deleted in a way that can be undone."""
    address = registry.required(lab)
    if subject in registry.request("GET", address, "/subjects"):
        registry.request("DELETE", address, f"/subjects/{subject}")
    if subject in registry.request("GET", address, "/subjects?deleted=true"):
        registry.request("DELETE", address, f"/subjects/{subject}?permanent=true")
