"""What is told of a record that nobody worked on says whether it is in the log."""

from kafka_lab import LabState
from kafka_lab.content import create_topics, delete_topics
from kafka_lab.waiting import wait_until
from support.lost_records import told_of_lost
from support.numbered_records import PARTITIONS, TOPIC, Ledger, Place, Writer


def test_a_record_that_is_there_is_told_apart_from_one_that_is_not(healthy_lab: LabState) -> None:
    lab, ledger = healthy_lab, Ledger()
    create_topics(lab, {TOPIC: (PARTITIONS, 2, {})})
    try:
        with Writer(ledger, lab):
            wait_until(lambda: len(ledger.acknowledged) > 10, "records to be acknowledged", within=30)
        ledger.worked_on.update(ledger.acknowledged.keys() - {4})
        place = ledger.places[4]
        told = told_of_lost(ledger)
        assert told.startswith(f"1 lost of {len(ledger.acknowledged)}: 4, acknowledged at {lab.name} in numbered-1")
        assert f"in the log at [{place.offset}]; b'4' is at its offset" in told
        ledger.acknowledged[10**9] = lab.name
        ledger.places[10**9] = Place(lab, TOPIC, place.partition, place.offset)
        assert "not in the log; b'4' is at its offset" in told_of_lost(ledger)
    finally:
        delete_topics(lab, [TOPIC])
