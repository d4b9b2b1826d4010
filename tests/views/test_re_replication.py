from collections.abc import Mapping
from typing import Any

from runbook.model.fact import Fact, tabulate
from runbook.views.re_replication import VIEW, compute


def losses(
    replicas: list[tuple[str, int, int]],
    usable: Mapping[int, int | None],
    racks: Mapping[int, str | None] | None = None,
    fenced: tuple[int, ...] = (),
) -> dict[str, dict[str, Any]]:
    """The losses by name; replicas are (topic, broker, bytes) of partition 0, volumes are of 1,000 bytes."""
    size = Fact(
        "kafka_replica_size",
        {
            "topic": [topic for topic, _, _ in replicas],
            "partition": [0] * len(replicas),
            "broker": [broker for _, broker, _ in replicas],
            "size": [held for _, _, held in replicas],
        },
    )
    brokers = [*usable]
    log_dir = Fact(
        "kafka_log_dir",
        {
            "broker": brokers,
            "path": ["/d"] * len(brokers),
            "error": [""] * len(brokers),
            "total_bytes": [1000] * len(brokers),
            "usable_bytes": [*usable.values()],
        },
    )
    broker = Fact(
        "kafka_broker",
        {
            "broker": brokers,
            "rack": [(racks or {}).get(node, "") for node in brokers],
            "fenced": [node in fenced for node in brokers],
        },
    )
    found = tabulate("re_replication", VIEW.columns, compute(size=size, log_dir=log_dir, broker=broker, free=10))
    return {row["scenario"]: row for row in found.rows()}


def test_each_copy_goes_to_a_broker_without_one_that_has_room_above_the_reserve() -> None:
    seen = losses([("a", 1, 100), ("a", 2, 100)], {1: 500, 2: 500, 3: 200})
    assert (seen["broker 1"]["fits"], seen["broker 1"]["bytes"], seen["broker 1"]["short_bytes"]) == (True, 100, 0)
    seen = losses([("a", 1, 100), ("a", 2, 100)], {1: 500, 2: 500, 3: 199})
    assert (seen["broker 1"]["fits"], seen["broker 1"]["short_bytes"]) == (False, 100)


def test_room_that_is_taken_is_not_there_for_the_next_one() -> None:
    copies = [(topic, broker, held) for topic, held in (("a", 60), ("b", 60), ("c", 30)) for broker in (1, 4)]
    seen = losses(copies, {1: 500, 2: 200, 3: 150, 4: 0})
    assert seen["broker 1"]["fits"] is False  # 100 and 50 bytes of room: 60 and 30 fit, 60 do not
    assert seen["broker 1"]["short_bytes"] == 60


def test_a_copy_that_every_broker_left_holds_can_go_nowhere_and_is_said() -> None:
    row = losses([("a", 1, 10), ("a", 2, 10), ("b", 2, 10)], {1: 500, 2: 500})["broker 1"]
    assert (row["replicas"], row["unplaceable"], row["bytes"], row["fits"]) == (1, 1, 0, True)
    assert row["left_out"] == "replicas that no broker can take, as each one left holds a copy: 1"


def test_of_what_is_on_lost_brokers_only_nothing_can_be_copied_and_that_is_said() -> None:
    row = losses([("a", 1, 2000), ("b", 1, 10), ("b", 2, 10)], {1: 500, 2: 500, 3: 500})["broker 1"]
    assert (row["replicas"], row["gone"], row["bytes"], row["fits"]) == (2, 1, 10, True)
    assert row["left_out"] == "replicas that can't be copied, as no broker left holds their partition: 1"
    racks = {1: "x", 2: "x", 3: "y", 4: "y"}
    lost = losses([("a", 1, 10), ("a", 2, 10)], dict.fromkeys(racks, 500), racks)["rack x"]
    assert (lost["gone"], lost["unplaceable"], lost["bytes"]) == (2, 0, 0)


def test_a_full_broker_could_take_it_but_for_its_room() -> None:
    row = losses([("a", 1, 10), ("a", 2, 10)], {1: 500, 2: 500, 3: 0})["broker 1"]
    assert (row["unplaceable"], row["fits"]) == (0, False)


def test_two_copies_of_a_lost_rack_need_two_brokers() -> None:
    racks = {1: "x", 2: "x", 3: "y", 4: "y", 5: "y"}
    room = dict.fromkeys(racks, 500)
    row = losses([("a", 1, 10), ("a", 2, 10), ("a", 3, 10)], room, racks)["rack x"]
    assert (row["brokers"], row["unplaceable"], row["fits"]) == ([1, 2], 0, True)
    row = losses([("a", 1, 10), ("a", 2, 10), ("a", 3, 10)], {1: 500, 2: 500, 3: 500, 4: 500}, racks)["rack x"]
    assert (row["unplaceable"], row["bytes"]) == (1, 10)


def test_one_rack_for_all_is_no_scenario_and_a_broker_that_is_down_neither_falls_nor_takes() -> None:
    room = {1: 500, 2: 500, 3: 0, 4: 0}
    seen = losses([("a", 1, 10), ("a", 3, 10)], room, dict.fromkeys(room, "x"), fenced=(2,))
    assert [*seen] == ["broker 1", "broker 3", "broker 4"]
    assert seen["broker 1"]["fits"] is False


def test_room_that_is_not_known_may_be_enough() -> None:
    replicas = [("a", 1, 100), ("a", 2, 100)]
    assert losses(replicas, {1: 500, 2: 500, 3: None})["broker 1"]["fits"] is None
    assert losses(replicas, {1: 500, 2: 500, 3: None, 4: 500})["broker 1"]["fits"] is True
