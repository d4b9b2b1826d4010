"""A recorded Connect cluster that runs MirrorMaker's three connectors; for tests of both probes."""

from typing import Any

from support.connect_servers import Played

SOURCE = "mirror-source"


def mirrored(**more: str) -> Played:
    """The cluster; its connector of copies has more settings, written with underscores for their dots."""
    played = Played("mirrors")

    def add(connectors: dict[str, Any]) -> None:
        connectors[SOURCE]["info"]["config"] |= {name.replace("_", "."): value for name, value in more.items()}

    played.change(add)
    return played
