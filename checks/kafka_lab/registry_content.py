"""What the lab's Schema Registry holds: schemas as they should be, in all three types, with a history that fits."""

import json
from typing import Any, Final


def _avro(name: str, doc: str, fields: list[dict[str, Any]]) -> str:
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "doc": doc, "fields": fields})


def _field(name: str, type_: Any, doc: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, "doc": doc, **more}


_ORDER = [
    _field("id", "string", "The order's number.", default=""),
    _field("amount", "double", "What it costs, in euros.", default=0.0),
]
_TIME = {"type": "long", "logicalType": "timestamp-millis"}
_HEADERS = {
    "type": "record",
    "name": "Headers",
    "doc": "Where a record comes from, and when.",
    "fields": [
        _field("source_app", "string", "The application that wrote it.", default=""),
        _field("host_app", "string", "The host on which that ran.", default=""),
        _field("destination_app", ["null", "string"], "For whom it is, where it is for one.", default=None),
        _field("timestamp", _TIME, "When it happened.", default=0),
    ],
}
_COUNTRY = _field("country", ["null", "string"], "Where it goes to, by ISO 3166.", default=None)
_WHENCE = _field("headers", ["null", _HEADERS], "Where the order comes from.", default=None)

_CLICK = """\
syntax = "proto3";
package shop;

// A click on a page.
message Click {
  // The page's path.
  string page = 1;
  // When, ms since 1970.
  int64 at = 2;
}
"""
_PAYMENT: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "title": "Payment",
    "description": "A payment for an order.",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "order": {"type": "string", "description": "The order's number."},
        "amount": {"type": "number", "description": "In euros."},
    },
}

SCHEMAS: Final = (
    ("orders-key", "AVRO", ('"string"',)),
    (
        "orders-value",
        "AVRO",
        (
            _avro("Order", "An order.", _ORDER),
            _avro("Order", "An order.", [*_ORDER, _COUNTRY]),
            _avro("Order", "An order.", [*_ORDER, _COUNTRY, _WHENCE]),
        ),
    ),
    ("payments-value", "JSON", (json.dumps(_PAYMENT),)),
    ("clicks-value", "PROTOBUF", (_CLICK,)),
)
"""Subject, type, and its versions from the first on."""
