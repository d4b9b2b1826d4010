import struct

import pytest
from msgspec.structs import asdict

from runbook.formats.mirror_positions import checkpoint, offset_sync
from runbook.model.errors import Garbled


def text(said: str) -> bytes:
    return struct.pack(">h", len(said.encode())) + said.encode()


KEY = text("billing") + text("primary.orders") + struct.pack(">i", 3)
VALUE = struct.pack(">hqq", 0, 13, 12) + text("")


def test_a_checkpoint_is_read_as_mirrormaker_writes_it():
    found = checkpoint(KEY, VALUE)
    assert asdict(found) == {
        "group": "billing",
        "topic": "primary.orders",
        "partition": 3,
        "upstream": 13,
        "downstream": 12,
    }


def test_an_offset_sync_is_read_as_mirrormaker_writes_it():
    key = text("zürich") + struct.pack(">i", 0)
    found = offset_sync(key, struct.pack(">qq", 1 << 40, 7))
    assert asdict(found) == {"group": "", "topic": "zürich", "partition": 0, "upstream": 1 << 40, "downstream": 7}


@pytest.mark.parametrize(
    ("key", "value"),
    [(b"", VALUE), (KEY[:-1], VALUE), (KEY[:12], VALUE), (KEY, b""), (KEY, VALUE[:10]), (b"\x00\x01\xff" * 4, VALUE)],
)
def test_what_is_no_checkpoint_is_refused(key: bytes, value: bytes):
    with pytest.raises(Garbled, match="no checkpoint"):
        checkpoint(key, value)


def test_a_version_that_is_not_known_is_refused():
    with pytest.raises(Garbled, match="version 1"):
        checkpoint(KEY, struct.pack(">hqq", 1, 13, 12))


@pytest.mark.parametrize("value", [b"", struct.pack(">q", 1), struct.pack(">qqq", 1, 2, 3)])
def test_what_is_no_sync_is_refused(value: bytes):
    with pytest.raises(Garbled, match="no offset sync"):
        offset_sync(text("a") + struct.pack(">i", 0), value)
