"""What `check ha` asks of a cluster, asked plainly with the bare admin clients. Started by big_cluster.py."""

import logging
import sys

from confluent_kafka import TopicCollection
from confluent_kafka.admin import AdminClient, ConfigResource
from kafka.admin import KafkaAdminClient

TOPICS_AT_ONCE = 200


def main() -> None:
    """Make every request once, broker and topic settings without waiting for each other."""
    bootstrap = sys.argv[1]
    admin = AdminClient({"bootstrap.servers": bootstrap}, logger=logging.getLogger("bare"))
    metadata = admin.list_topics(timeout=30)
    admin.list_topics(topic="a-topic-that-is-not-there", timeout=10)
    names = sorted(metadata.topics)
    internal = TopicCollection([name for name in names if name.startswith("__")])
    futures = list(admin.describe_topics(internal, request_timeout=30).values())
    for broker in metadata.brokers:
        resource = ConfigResource(ConfigResource.Type.BROKER, str(broker))
        futures += admin.describe_configs([resource], request_timeout=30).values()
    for start in range(0, len(names), TOPICS_AT_ONCE):
        batch = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names[start : start + TOPICS_AT_ONCE]]
        futures += admin.describe_configs(batch, request_timeout=30).values()
    python = KafkaAdminClient(bootstrap_servers=bootstrap.split(","), receive_message_max_bytes=500_000_000)
    python.describe_cluster()
    python.describe_features()
    python.describe_metadata_quorum()
    python.list_partition_reassignments()
    python.describe_log_dirs()
    for future in futures:
        future.result()
    python.close()


if __name__ == "__main__":
    main()
