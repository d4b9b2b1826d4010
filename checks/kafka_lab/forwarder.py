"""Ways to brokers: connections are handed on from one port of this machine to another, or go wrong on the way.

It is run as a program of its own, with a file that says how each way is, and pairs of ports, LISTEN:TARGET. The file
holds JSON, by the port that is listened at:

- `open`: whether anything comes through. If not, connections stay open and silent, as where packets are dropped; when
  the way is mended they are closed, as what the two ends hold of them is out of date.
- `delay`: the seconds that each piece takes, either way.
- `piece`: how many bytes a piece has at most: 1 and a delay are a drip.
- `hang`: numbers of Kafka's requests that get no answer, nor does what follows them on their connection.
- `lose`: a `share` of Kafka's requests is lost by chance; over TLS, of the records in which they come, those of the
  handshake too. Of these a share `closing` end their connection, the others hang as above. The same `seed` loses the
  same requests of the n-th connection since this was said; which one that is is up to who makes them.
- `reset`: whether connections are reset as soon as they are made.
- `target`: where it leads, 0 for its own broker.

It is read five times a second.
"""

import asyncio
import json
import random
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_LOOK = 0.2  # seconds
_PIECE = 65536
_LONGEST = 1 << 26  # bytes of a request; what claims to be longer is TLS, whose requests nobody can tell apart
_REQUEST = 2  # bytes of the shortest: its number
_RECORD = struct.Struct(">BHH")  # how one of TLS begins: its kind, the version, and how many bytes follow
_KINDS = range(20, 25)  # of such records (RFC 8446, 5.1; RFC 6520)
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: no time to end in order


class ForwardedPath:
    """How one way is, and what goes through it."""

    def __init__(self, file: Path, listen: int, target: int) -> None:
        """Read it from this file."""
        self._file = file
        self._name = str(listen)
        self._own = target
        self._open = asyncio.Event()
        self._orders: dict[str, Any] = {}
        self._connections: set[asyncio.Task[None]] = set()
        self._taken = 0  # connections, since it was said how it is
        self.read()

    def read(self) -> None:
        """Read how it is; where that can't be read it stays as it was."""
        try:
            orders = json.loads(self._file.read_text(encoding="ascii")).get(self._name, {})
        except (OSError, ValueError):
            return
        if orders != self._orders:
            self._orders, self._taken = orders, 0
        if not self._orders.get("open", True):
            self._open.clear()
        elif not self._open.is_set():
            for connection in self._connections:
                connection.cancel()
            self._open.set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a connection."""
        if self._orders.get("reset"):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()
            return
        connection = asyncio.ensure_future(self._hand_on(reader, writer))
        self._connections.add(connection)
        try:
            with suppress(asyncio.CancelledError, OSError):
                await connection
        finally:
            self._connections.discard(connection)
            writer.transport.abort()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        back, forth = await asyncio.open_connection("127.0.0.1", self._orders.get("target") or self._own)
        ways = [asyncio.ensure_future(way) for way in (self._put_on(reader, forth), self._pump(back, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            forth.transport.abort()

    async def _put_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on request after request, or record after record of TLS, to one that is to hang; else piece by piece."""
        chance = self._chance()
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readexactly(4)
                if head[0] in _KINDS:
                    head += await reader.readexactly(_RECORD.size - len(head))
                rest = self._length(head) - len(head)
                if rest < 0:
                    await self._write(writer, head)
                    await self._pump(reader, writer)
                    return
                key = await reader.readexactly(min(_REQUEST, rest))
                lost, closed = self._lost(chance)
                if closed:
                    return
                if lost or self._hangs(head + key):
                    await asyncio.Event().wait()  # until the connection ends
                await self._write(writer, head + key + await reader.readexactly(rest - len(key)))

    def _length(self, head: bytes) -> int:
        """Bytes of what begins so, a request or a record, the beginning included; none of what is neither."""
        (length,) = struct.unpack_from(">i", head)
        if _REQUEST <= length <= _LONGEST:
            return 4 + int(length)
        if len(head) < _RECORD.size:
            return 0
        _, _, length = _RECORD.unpack(head)
        return _RECORD.size + int(length)

    def _hangs(self, begun: bytes) -> bool:
        """Whether a request of this number is to hang; of a record of TLS nobody can tell."""
        length, number = struct.unpack_from(">ih", begun.ljust(_REQUEST + 4, b"\0"))
        return length <= _LONGEST and number in self._orders.get("hang", ())

    def _chance(self) -> random.Random:
        """What decides for the requests of one more connection."""
        self._taken += 1
        seed = self._orders.get("lose", {}).get("seed", 0)
        return random.Random(f"{seed} {self._taken}")  # noqa: S311 - it is to be the same again, and no secret

    def _lost(self, chance: random.Random) -> tuple[bool, bool]:
        """Whether the next request is lost, and whether its connection ends with it."""
        said = self._orders.get("lose", {})
        one, other = chance.random(), chance.random()  # both each time: what is drawn later stays the same
        lost = one < said.get("share", 0.0)
        return lost, lost and other < said.get("closing", 0.0)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while some := await reader.read(_PIECE):
                await self._write(writer, some)

    async def _write(self, writer: asyncio.StreamWriter, some: bytes) -> None:
        most = self._orders.get("piece", _PIECE)
        for start in range(0, len(some), most):
            await asyncio.sleep(self._orders.get("delay", 0.0))
            await self._open.wait()
            writer.write(some[start : start + most])
            await writer.drain()


async def forward(file: Path, pairs: list[tuple[int, int]]) -> None:
    """Hand on connections for good."""
    ways = {listen: ForwardedPath(file, listen, target) for listen, target in pairs}
    for listen, way in ways.items():
        await asyncio.start_server(way.take, "127.0.0.1", listen)
    while True:
        await asyncio.sleep(_LOOK)
        for way in ways.values():
            way.read()


if __name__ == "__main__":
    given = [(int(listen), int(target)) for listen, _, target in (word.partition(":") for word in sys.argv[2:])]
    asyncio.run(forward(Path(sys.argv[1]), given))
