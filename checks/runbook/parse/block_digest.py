"""What decides the verdict of a block, as a digest: wording and the name may change without changing it."""

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct

from runbook.model.block import Block

_WORDING: Final = ("title", "consequence", "effect", "remedy", "audit", "errors", "sources")


def digest_of(block: Block) -> str:
    """SHA-256 of what decides the verdict of a block. Its id is the first one that it had."""
    fields = _given(block)
    if was := fields.pop("was", None):
        fields["id"] = was[0].rpartition("/")[2]
    return _digest(fields)


def digest_of_change(fields: Mapping[str, Any]) -> str:
    """SHA-256 of what an amendment changes of a verdict, whatever its block is called; of no fields: of no change."""
    return _digest({name: value for name, value in fields.items() if name != "id"})


def _digest(fields: dict[str, Any]) -> str:
    for wording in _WORDING:
        fields.pop(wording, None)
    for field in ("expect", "where_none"):
        if isinstance(said := fields.get(field), dict):
            fields[field] = {name: value for name, value in said.items() if name != "message"}
    return hashlib.sha256(msgspec.json.encode(fields, order="deterministic")).hexdigest()


def _given(value: Any) -> Any:
    """A record in plain types, without the fields that hold their default."""
    if isinstance(value, Struct):
        fields = _defaults(type(value))
        return {name: _given(given) for name, default in fields if (given := getattr(value, name)) != default}
    if isinstance(value, dict):
        return {key: _given(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_given(item) for item in value]
    return msgspec.to_builtins(value)


@cache
def _defaults(record: type[Struct]) -> list[tuple[str, Any]]:
    fields = [(field, field.default_factory) for field in msgspec.structs.fields(record)]
    return [(field.name, make() if make is not msgspec.NODEFAULT else field.default) for field, make in fields]
