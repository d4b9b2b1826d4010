"""Configuration files of clients of a Schema Registry: as they should be, and each wrong in ways of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_CONFLUENT: Final = "io.confluent.kafka.serializers"

RIGHT: Final = {
    "order-entry.producer.properties": f"""\
key.serializer=org.apache.kafka.common.serialization.StringSerializer
value.serializer={_CONFLUENT}.KafkaAvroSerializer
schema.registry.url=https://registry-1.example:8081,https://registry-2.example:8081
auto.register.schemas=false
basic.auth.credentials.source=USER_INFO
basic.auth.user.info=${{file:/etc/kafka/registry.properties:login}}
delivery.timeout.ms=2147483647
""",
    "billing.consumer.properties": f"""\
group.id=billing
value.deserializer={_CONFLUENT}.KafkaAvroDeserializer
schema.registry.url=https://registry-1.example:8081
specific.avro.reader=true
""",
    "page-views.consumer.properties": f"""\
group.id=page-views
value.deserializer={_CONFLUENT}.protobuf.KafkaProtobufDeserializer
schema.registry.url=https://registry-1.example:8081
specific.protobuf.value.type=shop.ClickProto$Click
""",
    "totals.streams.properties": """\
application.id=totals
processing.guarantee=exactly_once_v2
default.value.serde=io.confluent.kafka.streams.serdes.avro.SpecificAvroSerde
schema.registry.url=https://registry-1.example:8081
auto.register.schemas=false
specific.avro.reader=true
""",
}
"""Name of the client, its kind and the format of its file; text."""

WRONG: Final = {
    "order-entry.producer.properties": """\
value.serializer=org.apache.kafka.common.serialization.StringSerializer
schema.registry.url=http://registry-1.example:8081
basic.auth.user.info=${file:/etc/kafka/registry.properties:login}
delivery.timeout.ms=30000
""",
    "billing.consumer.properties": f"""\
group.id=billing
value.deserializer={_CONFLUENT}.KafkaAvroDeserializer
schema.registry.url=https://registry-1.example:8081
""",
    "page-views.consumer.properties": f"""\
group.id=page-views
value.deserializer={_CONFLUENT}.protobuf.KafkaProtobufDeserializer
schema.registry.url=https://registry-1.example:8081
""",
    "reports.consumer.properties": """\
group.id=reports
value.deserializer=org.apache.kafka.common.serialization.StringDeserializer
schema.registry.url=https://registry-1.example:8081
""",
    "totals.streams.properties": """\
application.id=totals
processing.guarantee=at_least_once
""",
}

PARAMS: Final = {
    "error-handling/endless-retries-are-not-cut-short": {"endless": ["order-entry"]},
    "error-handling/streams-that-promise-exactly-once-keep-it": {"exactly_once": ["totals"]},
}
"""What only the environment knows of them."""


def written(files: Mapping[str, str], folder: Path) -> list[dict[str, Any]]:
    """Write them; gives the entries of `clients:` under `files:` of the inventory."""
    folder.mkdir(parents=True)
    entries = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, "utf-8")
        entries.append({"name": name.partition(".")[0], "path": str(path)})
    return entries
