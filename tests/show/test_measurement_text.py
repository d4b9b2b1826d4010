"""What is told of a measurement: the answer first, and never more than was seen."""

from msgspec import structs

from runbook.model.measurement import Consumed, LongestGap, ProducerSetting, Repetition
from runbook.show.measurement_text import told
from support.measured import latency, measurement, repetition

ONE, ALL = ProducerSetting(acks="1"), ProducerSetting(acks="all")


def both(one: list[float], all_: list[float], **written: object) -> list[Repetition]:
    pairs = zip(one, all_, strict=True)
    return [repetition(p, setting=s, **written) for pair in pairs for p, s in zip(pair, (ONE, ALL), strict=True)]


def line(text: str, begins: str) -> str:
    [found] = [line for line in text.splitlines() if line.startswith(begins)]
    return found


def test_the_setting_that_wins_is_named_first():
    text = told(measurement(both([3, 4, 5], [20, 21, 22])))
    assert line(text, "latency of acknowledgements") == (
        "latency of acknowledgements: acks=1 is lowest: "
        "p99 4.00 ms (3.00 to 5.00); next acks=all, 21.0 ms (20.0 to 22.0)"
    )
    assert text.index("acks=1 is lowest") < text.index("read p50")


def test_within_the_spread_there_is_no_winner():
    text = told(measurement(both([3, 4, 25], [20, 21, 22])))
    assert "no difference that we can tell" in line(text, "end-to-end latency")
    assert "lowest" not in text


def test_two_repetitions_tell_nothing_apart():
    assert "too few repetitions" in line(told(measurement(both([3, 4], [20, 21]))), "end-to-end latency")


def test_a_rate_that_was_reached_is_no_limit_of_the_cluster():
    assert "the cluster's limit is higher" in line(told(measurement(both([3] * 3, [4] * 3))), "throughput")


def test_a_limit_of_the_client_is_never_told_as_the_clusters():
    text = told(measurement([repetition(rate=500.0, sent=1500, machine=1.0)] * 3))
    assert "the client may be the limit" in line(text, "throughput")
    assert "this is the cluster's limit" not in text
    assert "client-bound: this machine's processors were busy all the time" in text
    text = told(measurement([repetition(rate=500.0)] * 3))
    assert "this is the cluster's limit" in line(text, "throughput")


def test_lost_records_and_topics_left_behind_stand_out():
    lossy = structs.replace(repetition(), read=Consumed(records=2999, missing=[7], latency=latency(5)))
    text = told(measurement([lossy], left=["t-1"], swept=["t-0"], standing=["t-2"], insisted=False, copies=1))
    assert "LOST: 1 acknowledged records are not there" in text
    assert "LEFT BEHIND, remove it: topic t-1" in text
    assert "removed, left by an earlier run: t-0" in text
    assert "not touched: t-2" in text
    assert "1 copies without min.insync.replicas" in text


def test_what_clients_felt_is_told_with_its_gaps():
    gap = LongestGap(seconds=6.5, partition=2, since=1_796_000_000.25)
    one = repetition(gaps=[gap, structs.replace(gap, seconds=1.0, partition=0, since=gap.since - 5)])
    trial = structs.replace(one.trial, spread=True)
    read = Consumed(records=3000, duplicates=2, disorder=1, latency=latency(9), gaps=[structs.replace(gap, open=True)])
    text = told(measurement([structs.replace(one, trial=trial, read=read)]))
    assert "lost: 0 of 3,000 acknowledged; duplicates: 2; order was broken: 1 records" in text
    assert line(text, "producer") == ("producer: longest gap 6.50 s (partition 2, from 00:53:20.250 UTC)")
    assert line(text, " ").strip() == "then 1.00 s (partition 0, from 00:53:15.250 UTC)"
    assert "6.50 s, and had not ended (partition 2" in line(text, "consumer")


def test_a_run_in_which_nothing_was_measured_says_why():
    text = told(measurement([], interrupted="the producer: its process was ended by SIGKILL"))
    assert "nothing was measured" in text
    assert "SIGKILL" in text
