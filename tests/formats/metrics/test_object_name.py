import pytest

from runbook.formats.metrics.object_name import ObjectName, labels, read


def test_domain_and_keys_are_told_apart_in_their_order():
    name = read("kafka.server:type=ReplicaManager,name=LeaderCount")
    assert name == ObjectName("kafka.server", (("type", "ReplicaManager"), ("name", "LeaderCount")))


def test_a_quoted_value_may_hold_what_separates_others():
    name = read('kafka.producer:client-id="a,b=\\"c\\"\\*\\n",type=producer-metrics')
    assert name.keys == (("client-id", 'a,b="c"*\n'), ("type", "producer-metrics"))


@pytest.mark.parametrize("text", ["", "kafka.server", "kafka.server:", "a:b", "a:=c", 'a:b="c'])
def test_what_is_no_object_name_is_refused(text: str):
    with pytest.raises(ValueError, match="object name"):
        read(text)


def test_stars_stand_for_what_another_name_has_there_whatever_the_order():
    pattern = read("java.lang:type=GarbageCollector,name=*")
    assert labels(pattern, read("java.lang:name=G1 Old Generation,type=GarbageCollector")) == ("G1 Old Generation",)


@pytest.mark.parametrize(
    "other",
    ["java.nio:type=GarbageCollector,name=x", "java.lang:type=MemoryPool,name=x", "java.lang:type=GarbageCollector"],
)
def test_a_name_of_another_pattern_has_no_labels(other: str):
    assert labels(read("java.lang:type=GarbageCollector,name=*"), read(other)) is None


def test_an_open_pattern_fits_names_with_more_keys() -> None:
    name = read("a:type=T,source=s,topic=t")
    assert labels(read("a:type=T,topic=*,*"), name) == ("t",)
    assert labels(read("a:type=T,topic=*"), name) is None
    assert labels(read("a:type=T,partition=*,*"), name) is None
