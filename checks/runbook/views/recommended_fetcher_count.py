"""num.replica.fetchers: twice as many where followers lag and leaders have time, and otherwise those in force."""

from typing import Annotated, Final

from runbook.model.fact import Fact, Observed
from runbook.model.parameter import Parameter
from runbook.model.quantity import BrokerId
from runbook.model.row import Cell
from runbook.model.view import Input, View
from runbook.views._recommendations import OBJECTIVES, Advice, InForceHere, Recommendation, rounded, told

_SETTING: Final = "num.replica.fetchers"
_IDLE: Final = 0.3  # Apache Kafka documentation, Monitoring: ideally > 0.3
_SOURCE: Final = (
    "Apache Kafka documentation, broker configs: num.replica.fetchers; DynamicThreadPool: at most double at once"
)


class RecommendedFetcherCount(Recommendation):
    """A broker."""

    broker: Annotated[BrokerId, Cell("Node id.", key=True)]


VIEW = View(
    help="One row per broker and objective: fetcher threads for each source broker.",
    row=RecommendedFetcherCount,
    inputs={
        "setting": Input("kafka_broker_setting", columns=("broker", "setting", "value")),
        "replication": Input("broker_replication", columns=("broker", "max_lag"), tells=True),
        "load": Input("broker_load", columns=("broker", "handler_idle"), tells=True),
    },
    parameters={
        "lag": Parameter("int", 100000, min=1, help="records that a follower may be behind"),
    },
)


def compute(*, setting: Fact, replication: Fact, load: Fact, lag: int = 100000) -> Observed:
    """Compute them from broker_replication (MaxLag) and broker_load (idle request handlers)."""
    lags = {row["broker"]: row["max_lag"] for row in replication.rows("broker", "max_lag")}
    idle = [row["handler_idle"] for row in load.rows("broker", "handler_idle")]
    busiest = min(idle) if idle and None not in idle and load.complete else None
    return Observed(
        rows=[
            RecommendedFetcherCount(broker=row["broker"], **told(_SETTING, objective, here, advice, _SOURCE))
            for row in setting.rows("broker", "setting", "value")
            if row["setting"] == _SETTING
            for here in [
                InForceHere(
                    row["value"],
                    f"Kafka: broker {row['broker']}",
                    "" if row["value"] else "the broker does not tell it",
                )
            ]
            for advice in [_advice(here, lags.get(row["broker"]), busiest, lag)]
            for objective in OBJECTIVES
        ]
    )


def _advice(here: InForceHere, behind: int | None, busiest: float | None, lag: int) -> Advice:
    formula = (
        f"twice {_SETTING} where a follower is more than {lag} records behind (`lag`) and leaders' handlers are idle"
    )
    if behind is None:
        return Advice(formula, lacking="MaxLag of its replica fetchers: its metrics are not known")
    inputs = f"its own replicas are at most {behind} records behind"
    if behind <= lag or here.number is None:
        return Advice(formula, inputs)
    if busiest is None:
        return Advice(formula, inputs, lacking="how idle the request handlers of all brokers are")
    inputs += f"; the busiest broker's handlers are idle for {rounded(busiest)} of their time"
    if busiest < _IDLE:
        return Advice(formula, f"{inputs}: leaders have no time to answer more fetches")
    trade = "as many more connections between brokers, and CPU time on leaders"
    warning = "first check the follower's disk and network; a broker that has just restarted catches up without this"
    return Advice(formula, inputs, str(here.number * 2), trade, warning)
