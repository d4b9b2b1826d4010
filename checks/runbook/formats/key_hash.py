"""The hashes by which producers turn a key into a partition: Java's murmur2, CRC32 of librdkafka, FNV-1a of Sarama."""

import zlib
from typing import Final

_SEED: Final = 0x9747B28C
_M: Final = 0x5BD1E995
_32: Final = 0xFFFFFFFF
_POSITIVE: Final = 0x7FFFFFFF
_FNV_BASIS: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193


def of_java(key: bytes, partitions: int) -> int:
    """The partition of a key by Kafka's Java clients (BuiltInPartitioner.partitionForKey)."""
    return (murmur2(key) & _POSITIVE) % partitions


def of_librdkafka(key: bytes, partitions: int) -> int:
    """The partition of a key by librdkafka's default (rd_kafka_msg_partitioner_consistent)."""
    return zlib.crc32(key) % partitions


def of_sarama(key: bytes, partitions: int) -> int:
    """The partition of a key by Sarama's default (NewHashPartitioner), and by librdkafka's fnv1a."""
    h = _FNV_BASIS
    for byte in key:
        h = (h ^ byte) * _FNV_PRIME & _32
    return min(h, (1 << 32) - h) % partitions  # the absolute value of what it is with a sign


def murmur2(data: bytes) -> int:
    """The 32 bits of murmur2 as Kafka has it (org.apache.kafka.common.utils.Utils.murmur2), without a sign."""
    h = _SEED ^ len(data)
    whole = len(data) & ~3
    for place in range(0, whole, 4):
        k = int.from_bytes(data[place : place + 4], "little") * _M & _32
        h = (h * _M & _32) ^ ((k ^ k >> 24) * _M & _32)
    if rest := data[whole:]:
        h = (h ^ int.from_bytes(rest, "little")) * _M & _32
    h = (h ^ h >> 13) * _M & _32
    return h ^ h >> 15
