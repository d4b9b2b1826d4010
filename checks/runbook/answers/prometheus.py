"""Prometheus, its server and exporters: the requests that are sent to them."""

from typing import Final

READS: Final = (
    "GET {page} of an exporter",
    "POST {url}/api/v1/query with a form, as a GET of the same may grow too long",
)
"""Everything a connection sends. The query language of Prometheus can't change anything."""
