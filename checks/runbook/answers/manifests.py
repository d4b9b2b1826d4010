"""Manifests of Kubernetes in files: what may be done with them."""

from typing import Final

READS: Final = (
    "open for reading: manifests that the inventory lists, and .yaml, .yml and .json in the folders it lists",
    "list names in those folders",
)
"""Everything that may be done; only regular files are opened, and a bounded part of each is read."""
