"""Types that fields of several blocks have."""

from typing import Annotated, Literal

from msgspec import Meta

Site = Literal["source", "target"]
Id = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", description="lower-case words joined by hyphens")]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", description="a name that expressions use")]
Sentence = Annotated[str, Meta(min_length=3, max_length=200)]
Expression = Annotated[str, Meta(min_length=1, max_length=2000, description="a CEL expression")]
Duration = Annotated[str, Meta(pattern="^[0-9]+(ms|s|m|h|d)$", description="as in 500ms, 10s, 5m, 24h, 7d")]
OldName = Annotated[str, Meta(pattern="^([a-z0-9]+(-[a-z0-9]+)*/)?[a-z0-9]+(-[a-z0-9]+)*$", description="an id")]
"""An id, or RUNBOOK/ID."""
