"""A disk with ranges that can't be read: a loop device on the one file of a file system of its own (FUSE).

It speaks the kernel's protocol itself (linux/fuse.h, version 7), so that nothing has to be installed. Needs root and
/dev/fuse. Run as `python -m support.failing_disk FOLDER IMAGE BAD` it serves IMAGE as FOLDER/disk until FOLDER is
unmounted; BAD holds the ranges as JSON, [[first byte, byte after the last], …].
"""

import ctypes
import errno
import fcntl
import json
import os
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_lab.waiting import wait_until

SIZE: Final = 320 << 20
"""Bytes of such a disk."""
NEEDED: Final = ("losetup", "mkfs.ext4", "umount", "ddrescue")
"""Tools of which it is made, and by which it is read."""
_HEADER: Final = struct.Struct("<IIQQIIIHH")
_LOOKUP, _FORGET, _READ, _INTERRUPT, _BATCH_FORGET = 1, 2, 15, 36, 42
_FIBMAP: Final = 1
_ROOT, _FILE = 1, 2  # node ids
_MOST: Final = 1 << 17  # bytes of one request
_BIG_WRITES: Final = 1 << 5
_UNCACHED: Final = 1  # FOPEN_DIRECT_IO: each read comes here
_GOOD_FOR: Final = 3600  # seconds that names and sizes are valid


def lacking() -> str:
    """Say why there can be none on this machine; "" if there can."""
    return "" if os.geteuid() == 0 and Path("/dev/fuse").exists() else "needs root and /dev/fuse"


class FailingDisk:
    """A loop device.

    Attributes:
        device: where it is found.
    """

    def __init__(self, device: str, bad: Path) -> None:
        """Every byte of it can be read."""
        self.device = device
        self._bad = bad

    def fails(self, ranges: Sequence[tuple[int, int]], *, writes: bool = False) -> None:
        """From now on these ranges of bytes can't be read, and if `writes`, nothing can be written."""
        new = self._bad.with_suffix(".new")
        new.write_text(json.dumps({"reads": ranges, "writes": [[0, SIZE]] if writes else []}), "ascii")
        new.replace(self._bad)


@contextmanager
def failing_disk(folder: Path) -> Iterator[FailingDisk]:
    """An empty disk that does not fail yet; it goes once nothing is mounted from it any more."""
    image, bad, place = folder / "failing", folder / "failing.bad", folder / "failing.d"
    with image.open("wb") as empty:
        empty.truncate(SIZE)
    bad.write_text(json.dumps({"reads": [], "writes": []}), "ascii")
    place.mkdir()
    server = subprocess.Popen(
        [sys.executable, "-m", "support.failing_disk", str(place), str(image), str(bad)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )
    try:
        wait_until(place.is_mount, "the file system of the failing disk", within=60)
        with loop_device(place / "disk") as device:
            yield FailingDisk(device, bad)
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=False)
        server.terminate()
        server.wait(30)


@contextmanager
def loop_device(file: Path) -> Iterator[str]:
    """A loop device on a file."""
    made = subprocess.run(["losetup", "--find", "--show", str(file)], check=True, capture_output=True, text=True)
    device = made.stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["blockdev", "--setrw", device], check=True)  # else the next disk of this name can't be written
        subprocess.run(["losetup", "--detach", device], check=True)


def ranges_of(file: Path) -> list[tuple[int, int]]:
    """Where the blocks of a file lie on its disk, in bytes; what the page cache holds of it is forgotten."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        size = os.fstatvfs(opened.fileno()).f_bsize
        blocks = range(-(-os.fstat(opened.fileno()).st_size // size))
        found = [fcntl.ioctl(opened.fileno(), _FIBMAP, struct.pack("i", block)) for block in blocks]
    starts = [struct.unpack("i", block)[0] * size for block in found]
    return [(start, start + size) for start in starts if start]


def serve(place: Path, image: Path, bad: Path) -> None:
    """Serve an image until its file system is unmounted."""
    disk, device = os.open(image, os.O_RDWR), os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
    if ctypes.CDLL(None, use_errno=True).mount(b"failing", os.fsencode(place), b"fuse", 0, options):
        raise OSError(ctypes.get_errno(), f"{place} can't be mounted")
    while True:
        try:
            message = os.read(device, _MOST + 8192)
        except OSError as error:
            if error.errno == errno.ENODEV:
                return
            if error.errno == errno.ENOENT:  # what asked was interrupted
                continue
            raise
        _, code, unique, node, *_ = _HEADER.unpack_from(message)
        if code in (_FORGET, _BATCH_FORGET, _INTERRUPT):
            continue
        try:
            answer, failed = _answer(code, node, message[_HEADER.size :], disk, bad), 0
        except OSError as error:
            answer, failed = b"", error.errno or errno.EIO
        os.write(device, struct.pack("<IiQ", 16 + len(answer), -failed, unique) + answer)


def _answer(code: int, node: int, body: bytes, disk: int, bad: Path) -> bytes:  # noqa: PLR0911 - one for each request
    size = os.fstat(disk).st_size
    match code:
        case 26:  # INIT
            _, minor, readahead, flags = struct.unpack_from("<IIII", body)
            limits = (readahead, flags & _BIG_WRITES, 16, 12, _MOST, 1)
            return struct.pack("<IIIIHHII", 7, min(minor, 31), *limits) + bytes(36)
        case 1 if body == b"disk\0":  # LOOKUP
            return struct.pack("<QQQQQ", _FILE, 0, _GOOD_FOR, _GOOD_FOR, 0) + _attributes(_FILE, size)
        case 3 | 4:  # GETATTR, SETATTR
            return struct.pack("<QQ", _GOOD_FOR, 0) + _attributes(node, size)
        case 14:  # OPEN
            return struct.pack("<QII", 0, _UNCACHED, 0)
        case 15 | 16:  # READ, WRITE
            return _moved(body, disk, bad, reads=code == _READ)
        case 17:  # STATFS
            return struct.pack("<QQQQQIIII", size >> 12, 0, 0, 2, 0, 4096, 255, 4096, 0) + bytes(24)
        case 18 | 20 | 25 | 38:  # RELEASE, FSYNC, FLUSH, DESTROY
            os.fdatasync(disk)
            return b""
        case _:
            raise OSError(errno.ENOENT if code == _LOOKUP else errno.ENOSYS, "not served")


def _moved(body: bytes, disk: int, bad: Path, *, reads: bool) -> bytes:
    _, start, count = struct.unpack_from("<QQI", body)
    ranges = json.loads(bad.read_bytes())["reads" if reads else "writes"]
    if any(start < after and first < start + count for first, after in ranges):
        raise OSError(errno.EIO, "a bad sector")
    if reads:
        return os.pread(disk, count, start)
    return struct.pack("<II", os.pwrite(disk, body[40 : 40 + count], start), 0)


def _attributes(node: int, size: int) -> bytes:
    mode, size = (stat.S_IFDIR | 0o755, 0) if node == _ROOT else (stat.S_IFREG | 0o600, size)
    return struct.pack("<QQQQQQ10I", node, size, size >> 9, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


if __name__ == "__main__":
    serve(*map(Path, sys.argv[1:4]))
