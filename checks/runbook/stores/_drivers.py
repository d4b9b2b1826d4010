"""Drivers of fsspec that a store may use: an address can come out of an inventory, and some drivers run what they read.

Each driver that the library knows is allowed here, or refused with its reason (a test reads its own list).
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from runbook.model.errors import CannotLook, UsageError
from runbook.plugins.extras import install

T = TypeVar("T")

ALLOWED: Final = frozenset(
    {"abfs", "abfss", "adl", "arrow_hdfs", "az", "file", "gcs", "gs", "hdfs", "local", "memory", "oci", "ocilake"}
    | {"oss", "s3", "s3a", "sftp", "smb", "ssh", "tos", "tosfs", "webdav", "webhdfs"}
)
"""File systems in which evidence can be written, and nothing is run."""

_OTHERS = "it looks into what another driver reads, and some run what they find there"
_CODE = "it runs code, here or elsewhere"
_READ = "evidence can't be written there"
_PLAIN = "its logins pass in plain text"
_UNSEEN = "what its driver does was not looked at"

REFUSED: Final = {
    **dict.fromkeys(
        ("async_wrapper", "asyncwrapper", "blockcache", "cached", "dir", "filecache", "generic", "reference"), _OTHERS
    ),
    **dict.fromkeys(("simplecache", "libarchive", "tar", "zip"), _OTHERS),
    **dict.fromkeys(("dask", "dvc", "git", "jlab", "jupyter", "pyscript"), _CODE),
    **dict.fromkeys(("data", "gist", "github", "http", "https"), _READ),
    "ftp": _PLAIN,
    **dict.fromkeys(("asynclocal", "box", "dbfs", "dropbox", "gdrive", "hf", "lakefs", "root", "wandb"), _UNSEEN),
}
"""Drivers that no store may use, and why."""

_SHOWN = ("abfs", "gs", "hdfs", "s3", "sftp", "webhdfs")
_SSH = ("sftp", "ssh")
_S3 = ("s3", "s3a")


def open_driver(where: str, scheme: str, within: Callable[[Callable[[], T]], T | CannotLook]) -> tuple[Any, str]:
    """Open the file system of an address; drivers may connect as they are made.

    Args:
        where: the address.
        scheme: of it.
        within: calls foreign code in bounded time.

    Returns:
        The file system, and the folder in it.

    Raises:
        UsageError: it can't be used, or may not be.
    """
    try:
        from fsspec.core import url_to_fs
        from fsspec.registry import get_filesystem_class, known_implementations, register_implementation
    except ImportError as error:
        raise UsageError(f"{where} needs the package fsspec: {install('remote')}") from error
    _refuse(where, scheme, {*known_implementations})
    try:
        for name, driver in _our_own(scheme).items():
            register_implementation(name, driver, clobber=True)
        get_filesystem_class(scheme)
    except ImportError as error:
        remedy = known_implementations[scheme].get("err", str(error))
        raise UsageError(f"{where} needs a driver that is not installed here: {remedy}") from error
    return _opened(where, scheme, url_to_fs, within)


def _our_own(scheme: str) -> dict[str, Any]:
    """By scheme, drivers that are put in the place of the library's.

    Raises:
        ImportError: a package is not installed.
    """
    if scheme in _SSH:
        from runbook.stores._sftp import KnownHostsOnly

        return dict.fromkeys(_SSH, KnownHostsOnly)
    if scheme in _S3:
        from runbook.stores._s3 import SameHostOnly

        return dict.fromkeys(_S3, SameHostOnly)
    return {}


def _opened(where: str, scheme: str, url_to_fs: Any, within: Callable[..., Any]) -> tuple[Any, str]:
    def open_() -> Any:
        try:
            return url_to_fs(where)
        except (ValueError, TypeError, OSError) as error:
            remedy = "; webhdfs:// needs no Java here" if scheme in ("hdfs", "arrow_hdfs") else ""
            raise UsageError(f"{str(error).partition(chr(10))[0]}{remedy}") from error

    found = within(open_)
    if isinstance(found, CannotLook):
        raise UsageError(f"{where} can't be used: {found}")
    files, root = found
    return files, str(root).rstrip("/")


def _refuse(where: str, scheme: str, known: set[str]) -> None:
    first = where.partition("::")[0].partition("://")[0]
    why = _OTHERS if "::" in where else REFUSED.get(first)
    if why:
        raise UsageError(f"{where} is no address for results: {first}: {why}")
    if scheme not in known:
        shown = ", ".join(sorted({*_SHOWN} & known))
        raise UsageError(f"{where}: no driver for {scheme}://; there are {shown} and kafka, among others")
    if scheme not in ALLOWED:
        raise UsageError(f"{where} is no address for results: {scheme}: {_UNSEEN}")
