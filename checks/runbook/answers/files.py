"""Files that the inventory lists: what may be done with them, and a client's file as it was read."""

from typing import Final

from msgspec import Struct

READS: Final = ("open for reading: files that the inventory lists", "list names in the folders of those files")
"""Everything that may be done; only regular files are opened, and a bounded part of each is read."""

KINDS: Final = ("admin", "connect", "consumer", "mirrormaker", "producer", "streams")
"""The kinds of clients, as the inventory calls them."""


class ClientFile(Struct, frozen=True, kw_only=True):
    """One file of a client's configuration.

    Attributes:
        name: of the client.
        kind: as the inventory says it, one of KINDS; empty if the file is to tell.
        path: where it is; its ending tells what is in it.
        text: its content.
        profile: of the framework, for which alone it is read; empty for all.
        local: whether it is on this machine, so that a report can say where each setting stands.
    """

    name: str
    kind: str
    path: str
    text: str
    profile: str = ""
    local: bool = False
