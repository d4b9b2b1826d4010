"""What the filters of MirrorMaker take of a source's topics, and what they should."""

from collections.abc import Callable
from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Gap, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View
from runbook.views._mirrors import EXCLUDE, TOPICS, any_of, meant, state, takes_of


class MirrorChoice(Row):
    """A topic of the source."""

    topic: Annotated[str, Cell("Topic of the source.", key=True, entity="topic")]
    meant: Annotated[bool, Cell("Whether it is meant to be mirrored.")]
    taken: Annotated[
        bool | None, Cell("Whether the filters of a flow take it, also if it was not there yet when they did.")
    ]
    flows: Annotated[list[str] | None, Cell("The flows that take it.", entity="connector")]
    state: Annotated[str, Cell("Whose state it is, such as changelog of Streams; empty if it is none's.")]
    returns: Annotated[bool | None, Cell("Whether it is itself a mirror of the target's: taken, it would go round.")]


VIEW = View(
    help="One row per topic of the source, apart from Kafka's own.",
    row=MirrorChoice,
    inputs={
        "connector": Input(
            "mirror_connector",
            columns=("connector", "kind", "target", "separator", "policy", "topics", "topics_exclude"),
            needs=("kind",),
            at="target",
        ),
        "topic": Input("kafka_topic", columns=("name", "internal"), needs=("internal",), at="source"),
    },
    version=3,
    parameters={"topics": TOPICS, "exclude": EXCLUDE},
)


class _Flow(NamedTuple):
    name: str
    takes: Callable[[str], bool] | None
    back: str | None
    keeps_out: bool | None

    def takes_topic(self, topic: str) -> bool | None:
        """Whether it takes a topic; None if that can't be told."""
        if self.takes is None:
            return None
        returns = self.returns(topic)
        if not self.takes(topic) or (returns and self.keeps_out):
            return False
        return True if returns is False or self.keeps_out is False else None

    def returns(self, topic: str) -> bool | None:
        """Whether a topic came from where it leads to; None if that can't be told."""
        return None if self.back is None else bool(self.back) and topic.startswith(self.back)


def compute(
    *, connector: Fact, topic: Fact, topics: list[str] | None = None, exclude: list[str] | None = None
) -> Observed:
    """Work it out from mirror_connector of the target and kafka_topic of the source.

    As MirrorMaker does: one of `topics` must fit the whole name and none of `topics.exclude`. A mirror of the
    target's own topics is never taken under the default policy, whatever the filters say (MirrorSourceConnector's
    isCycle); where names are kept nobody can tell one.
    """
    wanted = meant(topics, exclude)
    gaps: list[Gap] = []
    flows: list[_Flow] = []
    for row in connector.rows():
        if row["kind"] == "source":
            takes, why = takes_of(row["topics"], row["topics_exclude"])
            gaps += [Gap(f"{row['connector']}: {reason}") for reason in why]
            known = row["target"] is not None and row["separator"] is not None
            back = row["target"] + row["separator"] if known else None
            keeps_out = None if row["policy"] is None else row["policy"] == "default"
            flows.append(_Flow(row["connector"], takes, back, keeps_out))
    rows: list[MirrorChoice] = []
    for source_row in topic.rows() if flows else ():
        if not source_row["internal"]:
            name = source_row["name"]
            answers = [flow.takes_topic(name) for flow in flows]
            found = [flow.name for flow, answer in zip(flows, answers, strict=True) if answer]
            whole = None if None in answers else found
            returns = any_of(flow.returns(name) for flow in flows)
            rows.append(
                MirrorChoice(
                    topic=name,
                    meant=wanted(name),
                    taken=any_of(answers),
                    flows=whole,
                    state=state(name),
                    returns=returns,
                )
            )
    return Observed(rows=rows, gaps=gaps)
