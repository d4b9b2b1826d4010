"""The link between two sites: connections are handed on from one port of this machine to another, or not.

It is run as a program of its own, with a file that says how the link is, and pairs of ports, LISTEN:TARGET. The file
holds JSON: `open`, whether anything comes through, and `delay`, the seconds that each piece takes, either way. It is
read five times a second. Of a link that is cut, connections stay open and silent, as where packets are dropped; when
it is mended they are closed, as what the two ends hold of them is out of date.
"""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

_LOOK = 0.2  # seconds
_PIECE = 65536


class Link:
    """How the link is, and what goes through it."""

    def __init__(self, file: Path) -> None:
        """Read it from this file."""
        self._file = file
        self._open = asyncio.Event()
        self._delay = 0.0
        self._connections: set[asyncio.Task[None]] = set()
        self._read()

    async def watch(self) -> None:
        """Follow the file."""
        while True:
            await asyncio.sleep(_LOOK)
            self._read()

    def _read(self) -> None:
        try:
            told = json.loads(self._file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return  # it stays as it was
        self._delay = float(told["delay"])
        if not told["open"]:
            self._open.clear()
        elif not self._open.is_set():
            for connection in self._connections:
                connection.cancel()
            self._open.set()

    async def serve(self, listen: int, target: int) -> None:
        """Take connections at one port, for another."""

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = asyncio.ensure_future(self._hand_on(reader, writer, target))
            self._connections.add(connection)
            try:
                with suppress(asyncio.CancelledError, OSError):
                    await connection
            finally:
                self._connections.discard(connection)
                writer.transport.abort()

        await asyncio.start_server(take, "127.0.0.1", listen)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
        await self._open.wait()
        back, forth = await asyncio.open_connection("127.0.0.1", target)
        ways = [asyncio.ensure_future(self._pump(*ends)) for ends in ((reader, forth), (back, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            forth.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                await asyncio.sleep(self._delay)
                await self._open.wait()
                writer.write(piece)
                await writer.drain()


async def forward(file: Path, pairs: list[tuple[int, int]]) -> None:
    """Hand on connections for good."""
    link = Link(file)
    for listen, target in pairs:
        await link.serve(listen, target)
    await link.watch()


if __name__ == "__main__":
    given = [(int(listen), int(target)) for listen, _, target in (word.partition(":") for word in sys.argv[2:])]
    asyncio.run(forward(Path(sys.argv[1]), given))
