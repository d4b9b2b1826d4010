"""Log lines of Kafka's own code that lead to a symptom, besides the few that the symptom lists itself.

`log_lines.tsv` has a symptom as RUNBOOK/ID and, behind a tab, what a line says between its variable parts, as Apache
Kafka's source has it. Runbooks list what people see most and search for; this table has the rest. Of what they list it
repeats the lines behind which any other error of a text is meant, such as "Exiting Kafka due to fatal exception".
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

TABLE: Final = Path(__file__).with_suffix(".tsv")


@cache
def log_lines() -> Mapping[str, Sequence[str]]:
    """What the lines say, by the symptom that they lead to."""
    lines: dict[str, list[str]] = defaultdict(list)
    for row in TABLE.read_text("utf-8").splitlines():
        symptom, line = row.split("\t")
        lines[symptom].append(line)
    return dict(lines)
