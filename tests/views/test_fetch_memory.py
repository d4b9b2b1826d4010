from runbook.views.fetch_memory import FetchMemory, compute
from support.client_configs import client_config
from support.kafka_facts import fact

MEMBERS = fact(
    "kafka_group_member",
    [
        {"group": "clicks", "member": "a", "partitions": 6},
        {"group": "clicks", "member": "b", "partitions": 5},
        {"group": "shop", "member": "c", "partitions": 900},
    ],
)
BROKERS = fact("kafka_broker", [{"broker": node, "in_service": node < 3} for node in (1, 2, 3)])
MIB = 1 << 20


def test_a_consumer_holds_a_fetch_of_each_broker_or_a_share_of_each_partition() -> None:
    config = client_config(("clicks", "consumer", "group.id", "clicks"), ("tool", "consumer", "client.id", "x"))
    rows = [
        row
        for row in compute(config=config, member=MEMBERS, broker=BROKERS, libraries=["clicks=java-4.3"]).rows
        if isinstance(row, FetchMemory)
    ]
    assert [(row.client, row.library, row.partitions, row.from_brokers, row.of_partitions) for row in rows] == [
        ("clicks", "java 4.3", 6, 2 * 50 * MIB, 6 * MIB),
        ("tool", "", None, 2 * 50 * MIB, None),
    ]


def test_consumers_inside_of_streams_have_no_row() -> None:
    config = client_config(("sums", "streams", "application.id", "sums"))
    assert compute(config=config, member=MEMBERS, broker=BROKERS).rows == []
