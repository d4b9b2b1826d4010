"""Small causes and effects, for tests that need one and care about a line of it."""

import textwrap

CAUSE = """
    id: too-large
    title: A row is too large
    facts: {row: {probe: fake_row}}
    holds: {each: row, that: row.size > 10, by: [name]}
    says: "row {row.name} has {row.size} bytes in {rows} rows"
    first: "shrink {row.name}"
    avoid: "grow {row.name}"
    proof: ["it has {row.size}"]
    undone: {recovery: fake_shrink, with: {names: row.name, size: 1}}
    sources: [made for tests]
"""
EFFECT = """
    id: what-is-so
    title: What is so
    facts: {row: {probe: fake_row}}
    tells:
      - {label: now, each: row, where: row.size > 10, says: "{row.name} is large"}
"""


def block(kind: str, text: str) -> str:
    """A fenced block of this kind."""
    return f"```yaml {{.{kind}}}\n{textwrap.dedent(text).strip()}\n```\n"
