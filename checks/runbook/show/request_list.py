"""What `runbook requests` writes: the list for people, as JSON, as YAML."""

from collections.abc import Sequence

import msgspec

from runbook.plugins.request import Request
from runbook.safety.sanitize import sanitize, sanitize_json
from runbook.terminal.columns import beside


def written(requests: Sequence[Request], format_: str) -> str:
    """The list in one of its formats."""
    listed = msgspec.to_builtins(list(requests))
    if format_ == "json":
        return sanitize_json(listed)
    if format_ == "yaml":
        import yaml

        return str(yaml.safe_dump(listed, sort_keys=False, allow_unicode=True, width=120)).rstrip("\n")
    lines: list[str] = []
    for kind in dict.fromkeys(request.connection for request in requests):
        lines += ["", sanitize(kind)] if lines else [sanitize(kind)]
        for request in (request for request in requests if request.connection == kind):
            allowed = request.parts.get("records", "")
            note = f", which reads records: of topics under {allowed} of the inventory only" if allowed else ""
            lines += [beside("  ", f"{request.request}{note}"), beside("      ", _who(request))]
    return "\n".join(lines)


def _who(request: Request) -> str:
    only = request.parts.get("only")
    return f"only: {only}" if only else ", ".join(request.probes) or "the connection itself"
