from runbook.model.fact import Fact
from runbook.views.producer_limit import ProducerLimit, compute
from support.client_configs import producer

MOST, LAG = "transaction.max.timeout.ms", "replica.lag.time.max.ms"


def brokers(*settings: tuple[int, str, str | None]) -> Fact:
    nodes, names, values = ([row[at] for row in settings] for at in range(3))
    return Fact("kafka_broker_setting", {"broker": nodes, "setting": names, "value": values})


def limit(setting: Fact) -> ProducerLimit:
    config = producer(("transactional.id", "a"), ("transaction.timeout.ms", "5"), ("request.timeout.ms", "7"))
    [row] = compute(config=config, setting=setting, libraries=["billing=java-4.3"]).rows
    assert isinstance(row, ProducerLimit)
    return row


def test_the_strictest_broker_counts() -> None:
    row = limit(brokers((1, MOST, "900"), (2, MOST, "800"), (1, LAG, "30"), (2, LAG, "40")))
    assert row == ProducerLimit(
        client="billing",
        acks="all",
        request_timeout=7,
        replica_lag=40,
        transactional=True,
        transaction_timeout=5,
        most=800,
    )


def test_a_broker_that_hides_a_setting_or_says_none_leaves_it_open() -> None:
    assert (limit(brokers((1, MOST, "900"), (2, MOST, None), (1, LAG, "30"))).most, limit(brokers()).most) == (
        None,
        None,
    )
    assert limit(brokers()).replica_lag is None
