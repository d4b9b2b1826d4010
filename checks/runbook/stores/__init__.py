"""Where results are kept: a folder, any file system that has an address, or a Kafka topic.

The file name is the registration: each module here has `SCHEMES`, the address schemes it takes ("" is no address, "*"
is every one that no other takes), and `open_store(where, settings)`.
"""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from runbook.evidence.store import Store
from runbook.model.errors import UsageError
from runbook.plugins.catalog import catalog

_FEW_SLASHES: Final = re.compile(r"([a-z][a-z0-9+]+):/?(?=[^/\\])")


def open_store(where: str, settings: Mapping[str, Any] | None = None) -> Store:
    """Prepare a store; nothing is looked at or written yet.

    Args:
        where: a folder, or an address.
        settings: how it is reached, as the inventory says; secrets as references.

    Raises:
        UsageError: the address can't be used, or a package is missing.
    """
    try:
        urlsplit(where)
    except ValueError as error:
        raise UsageError(f"{where!r} is no address: {error}") from error
    if not where.isprintable():
        raise UsageError(f"{where!r} is no address or folder: it holds invisible characters")
    if "://" not in where and (slashes := _FEW_SLASHES.match(where)):
        written = f"{slashes[1]}://{where[slashes.end() :]}"
        raise UsageError(f"{where} is no address: write {written}, or ./{where} for a folder of that name")
    kinds = catalog("stores")
    modules = [kinds.load(name) for name in kinds.names()]
    scheme = where.partition("://")[0] if "://" in where else ""
    by_scheme = {scheme: module for module in modules for scheme in module.SCHEMES}
    store: Store = by_scheme.get(scheme, by_scheme["*"]).open_store(where, settings or {})
    return store
