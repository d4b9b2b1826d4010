"""The internal topics of each Kafka Connect cluster, found by name: three go together, and which of them lack."""

import re
from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View

_PARTS: Final = ("configs", "offsets", "status")
"""What `config.storage.topic`, `offset.storage.topic` and `status.storage.topic` are called in Kafka's own example."""
_NAME: Final = re.compile(r"(?P<base>.*[-_.])(?P<part>configs?|offsets?|status(?:es)?)")


class ConnectTopicSet(Row):
    """Topics whose names begin alike and end as Connect's do."""

    base: Annotated[str, Cell("What their names begin with, such as `connect-`.", key=True)]
    topics: Annotated[list[str], Cell("Those that are there.", entity="topic")]
    missing: Annotated[list[str], Cell("What is missing of configs, offsets and status.")]
    alone: Annotated[
        str,
        Cell("Where one that is named after Connect stands alone: that nothing is known of the others; else empty."),
    ]


VIEW = View(
    help="One row per beginning of names that end in configs, offsets or status: what is there of the three.",
    row=ConnectTopicSet,
    inputs={"topic": Input("kafka_topic", columns=("name",))},
)


def compute(*, topic: Fact) -> Observed:
    """Group kafka_topic by what stands before the ending, in the singular or the plural."""
    found: dict[str, dict[str, str]] = {}
    for row in topic.rows("name"):
        if named := _NAME.fullmatch(row["name"]):
            part = next(part for part in _PARTS if part.startswith(named["part"][:6]))
            found.setdefault(named["base"], {})[part] = row["name"]
    return Observed(rows=[_row(base, there) for base, there in sorted(found.items())])


def _row(base: str, there: dict[str, str]) -> ConnectTopicSet:
    names = [there[part] for part in _PARTS if part in there]
    alone = f"{names[0]} stands alone: what the other topics of its Connect cluster are called is not known"
    return ConnectTopicSet(
        base=base,
        topics=names,
        missing=[part for part in _PARTS if part not in there],
        alone=alone if len(names) == 1 and "connect" in base.lower() else "",
    )
