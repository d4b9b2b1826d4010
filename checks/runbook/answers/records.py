"""Records that people leave, attestations and drills: what may be done with them."""

from typing import Final

READS: Final = (
    "open for reading: the file of attestations that the inventory names",
    "open for reading: records of drills in the folder that the inventory names",
)
"""Everything that may be done; both are local, regular files."""
