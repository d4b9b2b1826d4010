"""Topics that an error text names, there or not, with the names that are spelt most like them."""

from collections.abc import Sequence
from typing import Annotated

from runbook.model.errors import near_names
from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class NamedTopic(Row):
    """A topic that was named."""

    topic: Annotated[str, Cell("Its name, as it was written.", key=True, entity="topic")]
    there: Annotated[
        bool | None, Cell("Whether there is one of this name; unknown where none is seen and some may be hidden.")
    ]
    alike: Annotated[str, Cell("Topics whose names are spelt most like it, with commas between; empty if it is there.")]


VIEW = View(
    help="One row per topic that is named, seen or not.",
    row=NamedTopic,
    leaves_out="topics that are not named",
    inputs={"topics": Input("kafka_topic", columns=("name",))},
    parameters={"names": Parameter(type="list[string]", help="names of topics, as an error text has them")},
)


def compute(*, topics: Fact, names: Sequence[str] | None = None) -> Observed:
    """Find each in kafka_topic; a name that is not seen is known to be none only where all topics are seen."""
    known = [row["name"] for row in topics.rows("name")]
    absent = False if topics.complete else None
    return Observed(
        [
            NamedTopic(topic=name, there=True, alike="")
            if name in known
            else NamedTopic(topic=name, there=absent, alike=", ".join(near_names(name, known)))
            for name in dict.fromkeys(names or ())
        ]
    )
