"""The one seam to an API server: GET, bounded in time and bytes, nothing else."""

import importlib
import json
import time
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlencode

from runbook.answers.kubernetes.reads import PATHS
from runbook.connections._http import in_bounds
from runbook.connections.kubernetes.errors import from_status, from_transport, is_success
from runbook.connections.kubernetes.settings import Access
from runbook.model.errors import CannotLook, Garbled, TimedOut
from runbook.model.probe import Deadline
from runbook.recording.question import question

LIMIT: Final = 500
"""Objects of one page of a list; Kubernetes documents 500 as kubectl's own default."""

MOST_BYTES: Final = 32 << 20
"""Of one answer; 500 large pods take about 10 MiB. Our judgement."""

MOST_PAGES: Final = 60
"""Of one list: 30,000 objects, ten times what one namespace is known to hold. Our judgement."""

_CHUNK: Final = 1 << 16


class Api:
    """An API server that can be asked, and only asked."""

    def __init__(self, access: Access, clock: Deadline) -> None:
        """Prepare the client; nothing is sent."""
        self.clock = clock
        self._host = access.host
        if access.configuration is not None:
            self._prepare(access)

    def _prepare(self, access: Access) -> None:
        client = importlib.import_module("kubernetes.client")
        self._client = client.ApiClient(access.configuration)
        if access.context is not None:
            self._client.rest_client.pool_manager.connection_pool_kw["ssl_context"] = access.context
        self._token = str(access.configuration.api_key.get("BearerToken", "")).partition(" ")[2].strip()
        self._errors = self._transport_errors()

    @property
    def server(self) -> str:
        """How sentences name it."""
        return f"the API server {self._host}"

    def get(self, template: str, **fills: str) -> dict[str, Any]:
        """Ask for one object by one of the paths in `reads`, its blanks filled in.

        Raises:
            CannotLook: it was not given; `NotFound` if there is none.
        """
        return self._ask(template, fills, {})

    def items(self, template: str, **fills: str) -> list[dict[str, Any]]:
        """Ask for all objects of a list, page by page.

        Raises:
            CannotLook: any page was not given; a part of a list is no list.
        """
        return [item for page in self._pages(template, fills) for item in page]

    def text(self, template: str, query: dict[str, str | int], **fills: str) -> bytes:
        """Ask for what is no object, such as a log.

        Raises:
            CannotLook: it was not given; `NotFound` if there is none.
        """
        return self._answer(_path(template, fills), query)

    def _ask(self, template: str, fills: dict[str, str], query: dict[str, str | int]) -> dict[str, Any]:
        path = _path(template, fills)
        body = self._answer(path, query)
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            raise Garbled(f"{self.server} did not answer {path} in JSON, or the answer is cut off") from None
        if not isinstance(answer, dict):
            raise Garbled(f"{self.server} answered {path} with no object")
        return answer

    @question("kubernetes")
    def _answer(self, path: str, query: dict[str, str | int]) -> bytes:
        status, body = self._request(path, query)
        if not is_success(status):
            raise from_status(status, body, self.server, path, token=self._token)
        return body

    def _pages(self, template: str, fills: dict[str, str]) -> Iterator[list[dict[str, Any]]]:
        path, mark = template.format(**fills), ""
        for _ in range(MOST_PAGES):
            answer = self._ask(template, fills, {"limit": LIMIT, **({"continue": mark} if mark else {})})
            items, metadata = answer.get("items"), answer.get("metadata")
            if not isinstance(metadata, dict) or not str(answer.get("kind", "")).endswith("List"):
                raise Garbled(f"{self.server} answered {path} with no list")
            items = [] if items is None else items
            if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
                raise Garbled(f"{self.server} answered {path} with no list of objects")
            yield items
            mark = metadata.get("continue") or ""
            if not mark:
                return
        raise Garbled(f"{path} holds more than {LIMIT * MOST_PAGES} objects, which is more than we read")

    def close(self) -> None:
        """Close the connections."""
        if not self.clock.tape.replays:
            self._client.close()

    def _request(self, path: str, query: dict[str, str | int]) -> tuple[int, bytes]:
        end = time.monotonic() + self.clock.request()
        url = self._host + path + (f"?{urlencode(query)}" if query else "")
        headers = {"Accept": "application/json", "User-Agent": "runbook"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            answer = self._client.call_api("GET", url, headers, _request_timeout=max(0.05, end - time.monotonic()))
            return answer.status, self._read(answer.response, end)
        except CannotLook:
            raise
        except self._errors as error:
            raise from_transport(error, self.server) from None

    def _read(self, response: Any, end: float) -> bytes:
        """Read an answer as it comes, in bounds."""
        whole = False
        try:
            chunks = iter(lambda: response.read1(_CHUNK), b"")
            body = in_bounds(chunks, most=MOST_BYTES, left=lambda: end - time.monotonic())
            whole = True
        except (Garbled, TimedOut) as error:
            raise type(error)(f"{self.server} {error}") from None
        finally:
            # What is left of an unfinished answer must not be taken for the next one.
            response.release_conn() if whole else response.close()
        return body

    @staticmethod
    def _transport_errors() -> tuple[type[Exception], ...]:
        from http.client import HTTPException

        from urllib3.exceptions import HTTPError

        refused = importlib.import_module("kubernetes.client.exceptions").OpenApiException
        return HTTPError, HTTPException, refused, OSError, ValueError


def _path(template: str, fills: dict[str, str]) -> str:
    if template not in PATHS:
        raise ValueError(f"{template} is not on the list of what may be read")
    return template.format(**{name: quote(value, safe="") for name, value in fills.items()})
