"""The file of a measurement tells what was measured, and that it was changed."""

import pytest

from runbook.evidence.measurements import kept, read_kept
from support.measured import measurement, repetition


def test_what_was_kept_is_read():
    one = measurement([repetition(), repetition(latency=None)], left=["t"])
    assert read_kept(kept(one)) == one


@pytest.mark.parametrize("change", [(b"3000", b"3001"), (b"{", b""), (b'"chain"', b'"chian"')])
def test_what_was_changed_is_not(change: tuple[bytes, bytes]):
    with pytest.raises(ValueError, match="changed after it was written"):
        read_kept(kept(measurement([repetition()])).replace(*change, 1))
