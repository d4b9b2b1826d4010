from runbook.recoveries import (
    broker_metadata_current,
    default_replication_factor_fits,
    preferred_leaders_elected,
    replicas_spread,
)
from support.kafka_facts import fact, partition, situation


def test_where_replicas_are_once_they_are_spread_is_not_known_and_how_many_are_needed_stays() -> None:
    seen = fact("kafka_partition", [partition(0, 1, [1, 2, 3])])
    made = replicas_spread.RECOVERY.sets["kafka_partition"](seen, situation({}))
    assert (made.columns["leader"], made.columns["replicas"], made.columns["needs"]) == ([None], [None], [2])
    balance = fact("kafka_replica_balance", [{"broker": node, "leaders": 4, "replicas": 8} for node in (1, 2)])
    made = replicas_spread.RECOVERY.sets["kafka_replica_balance"](balance, situation({}))
    assert (made.columns["broker"], made.columns["replicas"]) == ([1, 2], [None, None])


def test_a_broker_leads_what_it_should_where_it_is_in_sync_and_others_lead_on() -> None:
    given = situation({"brokers": [2]})
    seen = fact(
        "kafka_partition",
        [
            partition(0, 1, [1, 2], [2, 1]),
            partition(1, 1, [1], [2, 1]),
            partition(2, 1, [1, 3], [3, 1]),
            partition(3, 1, [1, 2], [2, 1]) | {"isr": None},
        ],
    )
    assert preferred_leaders_elected.RECOVERY.sets["kafka_partition"](seen, given).columns["leader"] == [2, 1, 1, 1]
    values = [
        (0, 2, True, False, True),
        (0, 1, True, True, False),
        (1, 2, False, False, True),
        (1, 1, True, True, False),
    ]
    names = ("partition", "broker", "in_sync", "leads", "preferred")
    replicas = fact("kafka_replica", [{"topic": "t"} | dict(zip(names, row, strict=True)) for row in values])
    assert preferred_leaders_elected.RECOVERY.sets["kafka_replica"](replicas, given).columns["leads"] == [
        True,
        False,
        False,
        True,
    ]
    balance = fact("kafka_replica_balance", [{"broker": node, "leaders": 4, "replicas": 8} for node in (1, 2)])
    made = preferred_leaders_elected.RECOVERY.sets["kafka_replica_balance"](balance, given)
    assert (made.columns["leaders"], made.columns["replicas"]) == ([None, None], [8, 8])


def test_a_broker_that_knows_all_had_it_when_it_last_fetched() -> None:
    cells = {"lag": 5000, "last_caught_up_ms": 60_000, "last_fetch_ms": 300}
    seen = fact("kafka_quorum", [{"node": node, **cells} for node in (2, 3)])
    made = broker_metadata_current.RECOVERY.sets["kafka_quorum"](seen, situation({"brokers": [3]}))
    assert (made.columns["lag"], made.columns["last_caught_up_ms"]) == ([5000, 0], [60_000, 300])


def test_which_number_of_copies_fits_is_not_known_and_other_settings_stay() -> None:
    seen = fact("kafka_broker_config", [{"broker": 1, "offsets_replication_factor": 3, "min_insync_replicas": 2}])
    made = default_replication_factor_fits.RECOVERY.sets["kafka_broker_config"](seen, situation({}))
    assert (made.columns["offsets_replication_factor"], made.columns["min_insync_replicas"]) == ([None], [2])
