"""Logical types of Avro: which there are, and where one counts; elsewhere it is ignored, as the specification says."""

from typing import Final

from avro.schema import FixedSchema, Schema

_CARRIERS: Final = {
    "decimal": ("bytes", "fixed"),
    "big-decimal": ("bytes",),  # from Avro 1.12 on, its scale in each value
    "uuid": ("string", "fixed"),
    "date": ("int",),
    "time-millis": ("int",),
    "time-micros": ("long",),
    "timestamp-millis": ("long",),
    "timestamp-micros": ("long",),
    "timestamp-nanos": ("long",),
    "local-timestamp-millis": ("long",),
    "local-timestamp-micros": ("long",),
    "local-timestamp-nanos": ("long",),
    "duration": ("fixed",),
}
"""Which types each logical type of the specification may annotate; on any other it means nothing."""


def logical_type(schema: Schema) -> str:
    """The logical type as which readers take a value; empty where they take the bare one."""
    named = schema.get_prop("logicalType")
    return named if isinstance(named, str) and named in _CARRIERS and not why_ignored(schema) else ""


def why_ignored(schema: Schema) -> str:
    """Why a logical type of the specification does not count where it stands; empty if it does, or if there is none."""
    named = schema.get_prop("logicalType")
    if not isinstance(named, str) or named not in _CARRIERS:
        return ""
    if schema.type not in _CARRIERS[named]:
        return f"{named} means nothing on {schema.type}: readers take the bare value"
    return _no_decimal(schema) if named == "decimal" else ""


def _no_decimal(schema: Schema) -> str:
    # not made up: Avro's own default
    precision, scale = schema.get_prop("precision"), schema.get_prop("scale") or 0
    if not isinstance(precision, int) or isinstance(precision, bool) or precision < 1:
        return "a decimal without precision is no decimal: readers take the bare bytes"
    if not isinstance(scale, int) or not 0 <= scale <= precision:
        return f"its scale {scale} is not within its precision {precision}: readers take the bare bytes"
    if isinstance(schema, FixedSchema) and precision > _digits(schema.size):
        return f"{schema.size} bytes hold no {precision} digits: readers take the bare bytes"
    return ""


def _digits(size: int) -> int:
    """How many decimal digits a two's complement number of so many bytes holds for sure."""
    return len(str(1 << (8 * min(size, 1_000) - 1))) - 1
