import pytest

from runbook.formats.key_hash import murmur2, of_java, of_librdkafka, of_sarama


@pytest.mark.parametrize(
    ("key", "expected"),
    [  # org.apache.kafka.common.utils.UtilsTest.testMurmur2 (Kafka 4.0)
        ("21", -973932308),
        ("foobar", -790332482),
        ("a-little-bit-long-string", -985981536),
        ("a-little-bit-longer-string", -1486304829),
        ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        ("abc", 479470107),
    ],
)
def test_murmur2_is_kafkas(key: str, expected: int) -> None:
    assert murmur2(key.encode()) == expected % (1 << 32)


def test_a_key_has_the_partition_that_kafkas_own_class_gives() -> None:
    assert of_java(b"KEY", 12) == 2  # jshell with kafka-clients 4.3.0: toPositive(murmur2("KEY")) % 12


def test_librdkafka_takes_the_checksum() -> None:
    assert of_librdkafka(b"123456789", 1000) == 0xCBF43926 % 1000


@pytest.mark.parametrize(
    ("key", "expected"),
    [  # librdkafka, unittest_fnv1a: what Go's fnv.New32a() gave, without its sign
        ("kafka", 0xD33C4E1),
        ("giberish123456789", 0x77A58295),
        ("1234", 0x23BDD03),
        ("PreAmbleWillBeRemoved,ThePrePartThatIs", 0x65CBD69C),
        ("", 0x7EE3623B),
    ],
)
def test_sarama_takes_fnv_1a(key: str, expected: int) -> None:
    assert of_sarama(key.encode(), 1 << 31) == expected
    assert of_sarama(key.encode(), 12) == expected % 12
