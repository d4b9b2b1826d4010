"""MirrorMaker 2: what its connectors do, and which of the settings given to it reach which client.

Two ways of running it have two ways of writing settings. On Connect each connector has its configuration; a dedicated
MirrorMaker makes those of one file.
"""

from runbook.formats.mirror_maker.clients import Prefixes, SettingOfLink, client_settings
from runbook.formats.mirror_maker.dedicated import Dedicated, Deployed, read_dedicated
from runbook.formats.mirror_maker.given import as_written
from runbook.formats.mirror_maker.link import MirrorLink, kind_of, read_link

__all__ = [
    "Dedicated",
    "Deployed",
    "MirrorLink",
    "Prefixes",
    "SettingOfLink",
    "as_written",
    "client_settings",
    "kind_of",
    "read_dedicated",
    "read_link",
]
