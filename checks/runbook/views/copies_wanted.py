"""How many copies brokers give to topics that are made without saying so, beside the brokers that there are."""

from typing import Annotated, NamedTuple

from runbook.model.fact import Fact, Observed
from runbook.model.row import Cell, Row
from runbook.model.view import Input, View


class CopiesWanted(Row):
    """A setting by which topics get their number of copies."""

    setting: Annotated[str, Cell("Its name.", key=True, entity="setting")]
    topic: Annotated[str, Cell("The topic that is made by it; empty for all that say nothing.", entity="topic")]
    exists: Annotated[bool | None, Cell("Whether that topic is there; false where it is for all that say nothing.")]
    copies: Annotated[int | None, Cell("The fewest copies that a broker gives by it.", unit="replicas")]
    brokers: Annotated[int | None, Cell("Brokers that there are, those that are out of service among them.")]


VIEW = View(
    help="One row per setting by which topics get their number of copies.",
    row=CopiesWanted,
    inputs={
        "config": Input(
            "kafka_broker_config",
            columns=("default_replication_factor", "offsets_replication_factor", "transaction_replication_factor"),
        ),
        "broker": Input("kafka_broker", columns=("broker",)),
        "topic": Input("kafka_topic", columns=("name",)),
    },
)


class _Setting(NamedTuple):
    name: str
    column: str
    topic: str


_SETTINGS = (
    _Setting("default.replication.factor", "default_replication_factor", ""),
    _Setting("offsets.topic.replication.factor", "offsets_replication_factor", "__consumer_offsets"),
    _Setting("transaction.state.log.replication.factor", "transaction_replication_factor", "__transaction_state"),
)


def compute(*, config: Fact, broker: Fact, topic: Fact) -> Observed:
    """Work it out from kafka_broker_config, kafka_broker and kafka_topic."""
    names = {*topic.columns["name"]}
    rows = []
    for setting in _SETTINGS:
        copies = config.columns[setting.column]
        there = setting.topic in names
        rows.append(
            CopiesWanted(
                setting=setting.name,
                topic=setting.topic,
                exists=there if there or not setting.topic or topic.complete else None,
                copies=None if None in copies or not config.complete else min(copies, default=None),
                brokers=len(broker) if broker.complete else None,
            )
        )
    return Observed(rows=rows)
