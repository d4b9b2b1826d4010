import pytest

from runbook.search.words import bare_phrase, is_generic, one_slip_apart, phrase, solid, stem, stems, telling


@pytest.mark.parametrize(
    "text",
    [
        "INVALID_REPLICATION_FACTOR",
        "InvalidReplicationFactor",
        "invalid replication factors",
        "invalid-replication.factor",
    ],
)
def test_the_spelling_of_a_name_makes_no_difference(text: str):
    assert stems(text) == ["invalid", "replic", "factor"]
    assert bare_phrase(f"{text}_EXCEPTION") == bare_phrase(text) == " invalid replic factor "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("KafkaUnderMinISRPartitionCount", ["kafka", "under", "min", "isr", "partit", "count"]),
        ("java.io.IOException", ["io", "except"]),
        ("Http5xxErrorRate", ["http", "5", "xx", "error", "rate"]),
        ("Größe über", ["größe", "über"]),
    ],
)
def test_a_name_falls_apart_where_its_words_begin(text: str, found: list[str]):
    assert stems(text) == found


def test_what_says_nothing_is_left_out_and_what_people_ask_for_is_not():
    assert telling("Are the brokers down at 9092, or was a disk x of 100 full?") == {
        "9092": "9092",
        "broker": "brokers",
        "down": "down",
        "disk": "disk",
        "full": "full",
    }


@pytest.mark.parametrize("said", ["a broker won't start", "Broker doesn\u2019t start", "unable to start the broker"])
def test_who_says_that_something_is_not_so_says_no_other_word(said: str):
    assert telling(said).keys() == {"broker", "start"}


def test_an_ending_stays_where_it_is_most_of_the_name():
    assert bare_phrase("SocketException") == " socket except "
    assert bare_phrase("SocketClosedException") == " socket close "
    assert phrase("SocketClosedException") == " socket close except "


def test_a_name_in_one_piece_has_no_blanks_marks_between_words_nor_capitals():
    assert solid("Kafka disk-full") == "kafkadiskfull"
    assert solid("KAFKA_DISK_Full") == "kafkadiskfull"


def test_who_asks_for_slow_means_what_reads_slowly_too():
    assert stem("slowly") == stem("slow")
    assert stem("unevenly") == stem("uneven")
    assert stem("only") != stem("on")


def test_what_is_written_short_is_the_word():
    assert telling("certs expired").keys() == telling("certificates expired").keys()


@pytest.mark.parametrize("word", ["rebalancing", "rebalanced", "rebalances"])
def test_what_goes_on_has_the_stem_of_what_is_done(word: str):
    assert stem(word) == stem("rebalance")


@pytest.mark.parametrize("name", ["java.io.IOException", "TimeoutException", "NETWORK_EXCEPTION", "Exception"])
def test_an_exception_of_one_word_is_generic(name: str):
    assert is_generic(name)


@pytest.mark.parametrize("name", ["NotEnoughReplicasException", "UnknownHostException", "an exception", "URP", ""])
def test_what_says_more_is_not(name: str):
    assert not is_generic(name)


@pytest.mark.parametrize("slip", ["consmer", "conusmer", "consumner", "comsumer", "consume", "consumer"])
def test_one_letter_may_be_wrong(slip: str):
    assert one_slip_apart(slip, "consumer")
    assert one_slip_apart("consumer", slip)


@pytest.mark.parametrize("other", ["onsumer", "cosnmuer", "consumption", "conmsuer2", "consmeer"])
def test_two_letters_or_the_first_may_not(other: str):
    assert not one_slip_apart(other, "consumer")
