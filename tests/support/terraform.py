"""Plans as Terraform prints them, of changes that are given."""

import json
from typing import Any


def changed(kind: str, name: str = "orders", *, provider: str = "example.com/mongey/kafka", **change: Any) -> Any:
    """A change of a resource: actions, before, after and what else Terraform says of it."""
    given = {"actions": ["create"], "before": None, "after": None, "after_unknown": {}} | change
    address = {"address": f"{kind}.{name}", "mode": "managed", "type": kind, "name": name}
    return address | {"provider_name": provider, "change": given}


def plan(*changes: Any, **others: Any) -> str:
    """The text of a plan."""
    whole = {"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": list(changes)}
    return json.dumps(whole | others)
