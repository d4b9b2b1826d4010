from runbook.model.fact import Gap
from runbook.recoveries import advertised_addresses_unique
from runbook.recoveries.broker_reachable import RECOVERY
from support.kafka_facts import brokers, partition, partitions, situation


def test_the_cluster_is_as_it_is_and_all_of_it_can_be_seen() -> None:
    seen = partitions(partition(0, 1, [1, 2, 3]))
    seen.gaps = [Gap("silent, yet counts as in sync", {"broker": 2})]
    there = situation({"brokers": [2]}, brokers(2, fenced=False), seen)
    made = RECOVERY.sets["kafka_partition"](seen, there)
    assert (made.columns, made.gaps) == (seen.columns, [])
    row = list(RECOVERY.sets["kafka_broker"](there.facts["kafka_broker"], there).rows())[1]
    assert (row["answers"], row["in_service"], row["fenced"]) == (True, True, False)


def test_brokers_that_shared_an_address_answer_at_one_that_nobody_has_said() -> None:
    made = advertised_addresses_unique.RECOVERY.sets["kafka_broker"](
        brokers(1, 2, failure="shared address", fenced=False), situation({"brokers": [1, 2]})
    )
    assert made.columns["answers"] == [True, True, True]
    assert made.columns["failure"] == ["", "", ""]
    assert (made.columns["host"], made.columns["port"]) == ([None, None, "h"], [None, None, 9092])
