"""Requests and answers of kafka-python as plain values: what went over the wire."""

from typing import Any, Final

from runbook.recording.raw import Codec


def described(request: Any) -> dict[str, Any]:
    """What a request asks, whatever version of it goes out."""
    return {"request": type(request).__name__.partition("_v")[0], "fields": _plain(request)}


def _plain(value: Any) -> Any:
    """What a part of a request holds; parts may be given as the library's own classes, as mappings or as texts."""
    if hasattr(value, "_struct"):
        names = [field.name for field in value._struct._fields]  # noqa: SLF001 - the library's own `to_dict` does that
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple | set | frozenset) else value


def _stored(answer: Any) -> list[Any]:
    return [answer.API_KEY, answer.API_VERSION, bytes(answer.encode())]


def _restored(value: list[Any]) -> Any:
    from kafka.protocol.api_header import RequestHeader, ResponseClassRegistry

    key, version, data = value
    header = RequestHeader(request_api_key=key, request_api_version=version)
    return ResponseClassRegistry.get_response_class(header).decode(data, version=version)


ANSWER: Final = Codec(_stored, _restored)
"""An answer, as the bytes of its version of the protocol."""
