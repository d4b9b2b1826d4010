import pytest

from runbook.formats.jvm_options import JvmOptions


def options(*words: str) -> JvmOptions:
    return JvmOptions(["java", *words])


def test_sizes_are_in_bytes_and_the_last_one_holds():
    read = options("-Xms512m", "-Xmx1g", "-XX:MaxHeapSize=2G", "-XX:InitialHeapSize=1024k")
    assert (read.heap_max, read.heap_min) == (2 << 30, 1 << 20)


@pytest.mark.parametrize("word", ["-Xmx", "-Xmx=2G", "-Xmx2GB", "-Xmxlots"])
def test_a_size_that_java_would_not_take_is_unknown(word: str):
    assert options(word).heap_max is None


def test_a_collector_is_known_only_if_it_is_chosen():
    assert options().collector == ""
    assert options("-XX:+UseZGC").collector == "zgc"
    assert options("-XX:+UseG1GC", "-XX:-UseG1GC").collector == ""
    assert options("-XX:+UseStringDeduplication").collector == ""


@pytest.mark.parametrize(
    ("word", "where"),
    [
        ("-Xloggc:/var/log/gc.log", "/var/log/gc.log"),
        ("-Xlog:gc*:file=/var/log/gc.log:time,tags:filecount=10", "/var/log/gc.log"),
        ("-Xlog:gc*=debug,safepoint:/var/log/gc.log", "/var/log/gc.log"),
        ('-Xlog:gc:file="/var/log/a:b.log":time', "/var/log/a:b.log"),
        ("-Xlog:gc+heap=trace:stderr", "stderr"),
        ("-Xlog:gc", "stdout"),
        ("-Xlog:all=warning:file=x.log", "x.log"),
        ("-Xlog:class+load:file=classes.log", ""),
        ("-Xlog:disable", ""),
    ],
)
def test_it_finds_where_the_garbage_collection_log_goes(word: str, where: str):
    assert options(word).gc_log == where


@pytest.mark.parametrize("word", ["-Xmx" + "9" * 5000, "-Xmx9999999999999999999", "-Xmx9999999999g"])
def test_a_size_of_more_than_64_bits_is_unknown(word: str):
    assert JvmOptions(["java", word]).heap_max is None
