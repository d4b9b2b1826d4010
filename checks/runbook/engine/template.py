"""Messages about rows: text with `{expression}` in it."""

import re
from collections.abc import Mapping
from typing import Any

from runbook.engine.expression import Expression, Mistake, Undecided, Variables

_PART = re.compile(r"\{([^{}]+)\}")


class Template:
    """A compiled message."""

    def __init__(self, text: str, expressions: list[Expression]) -> None:
        """Wrap what `compile_template` made."""
        self._texts = _PART.split(text)[::2]
        self._expressions = expressions

    def fill(self, data: Mapping[str, Any]) -> str:
        """The message for one row; what is not known shows as "?"."""
        values = [show(expression.value(data)) for expression in self._expressions]
        return "".join(text + value for text, value in zip(self._texts, [*values, ""], strict=True))


def compile_template(text: str, variables: Variables) -> Template | list[Mistake]:
    """Compile a message; the mistakes of all its expressions otherwise."""
    expressions, mistakes = [], []
    for match in _PART.finditer(text):
        compiled = variables.compile(match[1], boolean=False)
        if isinstance(compiled, list):
            mistakes += [Mistake(m.message, 1, match.start() + 1 + m.column, m.remedy) for m in compiled]
        else:
            expressions.append(compiled)
    return mistakes or Template(text, expressions)


def show(value: Any) -> str:
    """A value as people write it."""
    if value is None or isinstance(value, Undecided):
        return "?"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(show(item) for item in value) + "]"
    if isinstance(value, dict):  # in order of the keys, as stored facts keep them
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in sorted(value.items())) + "}"
    return str(value)
