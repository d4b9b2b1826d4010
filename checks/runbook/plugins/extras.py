"""What installs a package that is not here: by the name of the extra that brings it, in words that work where we are.

Loaded only when something is missing: reading what is installed costs more than starting.
"""

import json
import re
import shlex
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

DISTRIBUTION: Final = "kafka-runbook"
_OTHER_NAMES: Final = {"OpenSSL": "pyopenssl", "snappy": "python-snappy", "material": "mkdocs-material"}
"""Modules whose packages have other names than they; all others are called alike."""
_EXTRA: Final = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")


def missing(module: str) -> str:
    """Say which package is missing and what installs it; "" where no extra of ours brings the module.

    Args:
        module: its name as it was imported, also one within the package.
    """
    package = _OTHER_NAMES.get(module.partition(".")[0], module.partition(".")[0])
    extras = _bringing(package)
    if not extras:
        return ""
    also = "so do" if len(extras) > 2 else "so does"  # noqa: PLR2004 - the first brings it, and more than one other
    others = f" ({also} {', '.join(extras[1:])})" if extras[1:] else ""
    return f"the package {package} is missing, which the extra {extras[0]} brings{others}: {install(extras[0])}"


def install(extra: str) -> str:
    """The command that installs an extra: from where this installation came, which need not be an index.

    Where that is gone, as a wheel that was built elsewhere, it names the packages themselves.
    """
    try:
        here = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return f"pip install '{DISTRIBUTION}[{extra}]'"
    source = json.loads(here.read_text("direct_url.json") or "{}")  # PEP 610; an index leaves none
    address = urlsplit(source.get("url", ""))
    if not address.scheme:
        return f"pip install '{DISTRIBUTION}[{extra}]'"
    if address.scheme != "file":
        return f"pip install '{DISTRIBUTION}[{extra}] @ {source['url']}'"
    place = unquote(address.path)
    if not Path(place).exists():
        return f"pip install {shlex.join(requirement for name, requirement in _requirements(here) if name == extra)}"
    if "dir_info" in source:
        editable = "-e " if source["dir_info"].get("editable") else ""
        return f"pip install {editable}{shlex.quote(f'{place}[{extra}]')}"
    return f"pip install '{DISTRIBUTION}[{extra}] @ {source['url']}'"


def _bringing(package: str) -> list[str]:
    """The extras that bring a package, those that bring the least first; `all` is none of them."""
    try:
        wanted = list(_requirements(distribution(DISTRIBUTION)))
    except PackageNotFoundError:
        return []
    sizes: dict[str, int] = {}
    for extra, _ in wanted:
        sizes[extra] = sizes.get(extra, 0) + 1
    found = {extra for extra, requirement in wanted if _same(_name(requirement), package)} - {"all"}
    return sorted(found, key=lambda extra: (sizes[extra], extra))


def _requirements(here: Distribution) -> Iterator[tuple[str, str]]:
    """Every requirement of an extra, with the extra."""
    for requirement in here.requires or []:
        what, _, marker = requirement.partition(";")
        if (extra := _EXTRA.search(marker)) is not None:
            yield extra[1], what.strip()


def _name(requirement: str) -> str:
    return re.split(r"[\s<>=!~\[(;]", requirement, maxsplit=1)[0]


def _same(one: str, other: str) -> bool:
    return re.sub(r"[-_.]+", "-", one).lower() == re.sub(r"[-_.]+", "-", other).lower()
