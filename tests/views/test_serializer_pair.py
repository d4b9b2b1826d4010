import pytest

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact
from runbook.views.serializer_pair import SerializerPair, compute
from support.client_configs import client_config

OF_KAFKA = "org.apache.kafka.common.serialization."
OF_CONFLUENT = "io.confluent.kafka.serializers."
OF_SPRING = "org.springframework.kafka.support.serializer."


def pair(serializer: str | None, deserializer: str | None, *more: tuple[str, str | None]) -> SerializerPair:
    config = client_config(
        ("entry", "producer", "value.serializer", serializer),
        ("billing", "consumer", "value.deserializer", deserializer),
        *[("billing", "consumer", setting, value) for setting, value in more],
    )
    [_, value] = compute(config=config, pairs=["entry = billing"]).rows
    assert isinstance(value, SerializerPair)
    assert value.part == "value"
    return value


@pytest.mark.parametrize(
    ("serializer", "deserializer", "formats"),
    [
        (f"{OF_KAFKA}StringSerializer", f"{OF_KAFKA}StringDeserializer", ("String", "String")),
        (f"{OF_CONFLUENT}KafkaAvroSerializer", f"{OF_KAFKA}StringDeserializer", ("KafkaAvro", "String")),
        (f"{OF_CONFLUENT}KafkaAvroSerializer", f"{OF_CONFLUENT}SpecificAvroDeserializer", ("KafkaAvro", "KafkaAvro")),
        (f"{OF_KAFKA}ByteArraySerializer", f"{OF_KAFKA}StringDeserializer", (None, "String")),
        (f"{OF_KAFKA}StringSerializer", f"{OF_KAFKA}ByteBufferDeserializer", ("String", None)),
        (f"{OF_KAFKA}BytesSerializer", f"{OF_KAFKA}BytesDeserializer", ("Bytes", "Bytes")),
        ("com.example.Own", None, (None, None)),
        (f"{OF_SPRING}JsonSerializer", f"{OF_KAFKA}StringDeserializer", ("String", "String")),
        (f"{OF_KAFKA}UUIDSerializer", f"{OF_KAFKA}StringDeserializer", ("String", "String")),
        (f"{OF_KAFKA}StringSerializer", f"{OF_SPRING}JsonDeserializer", (None, "Json")),
        (f"{OF_CONFLUENT}KafkaJsonSerializer", f"{OF_SPRING}JacksonJsonDeserializer", ("Json", "Json")),
        (f"{OF_CONFLUENT}json.KafkaJsonSchemaSerializer", f"{OF_SPRING}JsonDeserializer", ("KafkaJsonSchema", "Json")),
    ],
)
def test_formats_are_those_that_classes_are_named_for(
    serializer: str, deserializer: str | None, formats: tuple[str | None, str | None]
) -> None:
    row = pair(serializer, deserializer)
    assert (row.serializer, row.deserializer) == (serializer, deserializer)
    assert (row.written, row.read) == formats


def test_what_catches_for_another_class_is_not_the_format() -> None:
    wrapper = "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer"
    own = f"{OF_KAFKA}LongDeserializer"
    delegate = ("spring.deserializer.value.delegate.class", own)
    row = pair(f"{OF_KAFKA}LongSerializer", wrapper, delegate)
    assert (row.deserializer, row.written, row.read) == (own, "Long", "Long")
    assert pair(f"{OF_KAFKA}LongSerializer", wrapper).read is None


def test_a_client_without_a_file_is_a_gap() -> None:
    observed = compute(config=client_config(("entry", "producer", "acks", "all")), pairs=["entry=billing"])
    assert observed.rows == []
    assert [gap.reason for gap in observed.gaps] == ["no file of client billing is known"]


def test_no_pair_no_row() -> None:
    config: Fact = client_config(("entry", "producer", "acks", "all"))
    assert compute(config=config).rows == []


@pytest.mark.parametrize("entry", ["billing", "=billing", "entry="])
def test_a_pair_is_two_names(entry: str) -> None:
    with pytest.raises(Misconfigured, match="write order-entry=billing"):
        compute(config=client_config(("entry", "producer", "acks", "all")), pairs=[entry])
