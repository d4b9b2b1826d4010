"""Objects of S3, from the host that was asked alone: the library's own driver follows a redirect wherever it leads."""

from typing import Any

from aiobotocore.httpsession import AIOHTTPSession
from s3fs import S3FileSystem


class _Straight:
    """A session of aiohttp that follows no redirect."""

    def __init__(self, session: Any) -> None:
        self._session = session

    async def request(self, *words: Any, **options: Any) -> Any:
        """Send a request; gives the answer, which may be a redirect. S3's own, to a region, botocore signs anew."""
        return await self._session.request(*words, **options, allow_redirects=False)


class _NoRedirects(AIOHTTPSession):  # type: ignore[misc]  # aiobotocore ships no types
    """The session that aiobotocore uses, but for redirects."""

    async def _get_session(self, proxy_url: Any) -> _Straight:
        return _Straight(await super()._get_session(proxy_url))


class SameHostOnly(S3FileSystem):  # type: ignore[misc]  # s3fs ships no types
    """s3fs's driver, which takes nothing from a host that it was sent to."""

    def __init__(self, *words: Any, config_kwargs: dict[str, Any] | None = None, **options: Any) -> None:
        """As s3fs's own."""
        super().__init__(*words, config_kwargs={**(config_kwargs or {}), "http_session_cls": _NoRedirects}, **options)
