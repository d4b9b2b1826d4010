"""Records that are kept, attestations, drills, measurements and facts of earlier looks: what may be done with them."""

from typing import Final

READS: Final = (
    "open for reading: the file of attestations that the inventory names",
    "open for reading: records of drills in the folder that the inventory names",
    "open for reading: facts of scheduled looks in the folder of results that the inventory names",
    "open for reading: measurements in the folder that the inventory names",
)
"""Everything that may be done; all are local, regular files."""
