"""Typed parameters, of checks and of probes: default, bounds, help."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

ParameterType = Literal["int", "float", "string", "bool", "list[string]"]
_PYTHON: dict[str, tuple[type, ...]] = {"int": (int,), "float": (float, int), "string": (str,), "bool": (bool,)}


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A value that the author of a check chose and an environment may override, visibly.

    Attributes:
        type: of the value; within braces in quotes: {type: "list[string]"}.
        default: the author's choice; without one, or with an empty one, an environment has to tell it.
        min, max: bounds of a number, inclusive.
        help: what it means, with its unit.
        source: where the default comes from, or that it is our judgement.
    """

    type: Annotated[ParameterType, Meta(examples=["int"])]
    default: int | float | bool | str | list[str] | None = None
    min: int | float | None = None
    max: int | float | None = None
    help: str = ""
    source: str = ""

    @property
    def is_required(self) -> bool:
        """Whether its default says nothing."""
        return self.type in ("int", "float", "string") and not self.default

    def read(self, text: str) -> Any:
        """The value that a text stands for, as somebody types it: a list with commas between.

        Raises:
            ValueError: it stands for no value that may be used; the message says why.
        """
        match self.type:
            case "list[string]":
                value: Any = [word.strip() for word in text.split(",")]
            case "bool":
                value = {"true": True, "false": False}.get(text, text)
            case "string":
                value = text
            case _:
                value = float(text) if self.type == "float" else int(text)
        if fault := self.fault(value):
            raise ValueError(fault)
        return value

    def fault(self, value: Any) -> str:
        """Say what is wrong with a value, or "" if it may be used."""
        if self.type == "list[string]":
            right = isinstance(value, list) and all(isinstance(item, str) for item in value)
        else:
            right = isinstance(value, _PYTHON[self.type]) and isinstance(value, bool) == (self.type == "bool")
        if not right:
            return f"{value!r} is not of type {self.type}"
        if self.min is not None and value < self.min:
            return f"{value} is below the least allowed value, {self.min}"
        if self.max is not None and value > self.max:
            return f"{value} is above the greatest allowed value, {self.max}"
        return ""


def with_defaults(declared: Mapping[str, Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """What code that declares parameters is called with: each default, where nothing else is given."""
    defaults = {name: parameter.default for name, parameter in declared.items() if parameter.default is not None}
    return {**defaults, **given}
