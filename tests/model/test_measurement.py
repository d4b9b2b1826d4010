"""What is lost of a measurement's records, and when that is not known."""

from msgspec import structs

from runbook.model.measurement import Consumed
from support.measured import repetition


def test_a_record_is_lost_that_was_acknowledged_and_is_not_there():
    one = structs.replace(repetition(failed=[4]), read=Consumed(records=2998, missing=[4, 5], latency=None))
    assert one.lost() == [5]


def test_what_was_not_read_to_the_end_is_not_known_to_be_lost():
    one = structs.replace(repetition(), read=Consumed(records=1, missing=[5], whole=False, latency=None))
    assert one.lost() is None
    assert structs.replace(one, read=None).lost() is None
