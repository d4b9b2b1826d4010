"""Changing the lab's own cluster: objects are made, replaced and deleted by whoever may do everything there."""

import importlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kafka_lab.errors import LabError

_WITHIN = 30.0
_POLL = 0.2
_CONFLICT, _NOT_FOUND = 409, 404
MERGE = "application/merge-patch+json"

Object = dict[str, Any]


class Admin:
    """Speaks to the lab's API server as its owner."""

    def __init__(self, kubeconfig: Path) -> None:
        """Use this kubeconfig; nothing is sent yet."""
        config = importlib.import_module("kubernetes.config")
        self._client = config.new_client_from_config(str(kubeconfig), persist_config=False)

    def get(self, path: str) -> Object:
        """Read one object or list.

        Raises:
            LabError: the server refused.
        """
        return _object(self._ask("GET", path))

    def assert_ready(self) -> None:
        """Make sure that the server has finished starting: it answers before its own roles are there.

        Raises:
            LabError: it has not.
        """
        self._ask("GET", "/readyz")

    def create(self, thing: Mapping[str, Any]) -> Object:
        """Make an object; one that is there already stays as it is.

        Raises:
            LabError: the server refused.
        """
        return _object(self._ask("POST", collection(thing), dict(thing), forgiven=_CONFLICT))

    def patch(self, path: str, change: Mapping[str, Any], kind: str = MERGE) -> Object:
        """Merge a change into an object.

        Args:
            path: of the object, or of a part of it.
            change: what is merged.
            kind: how lists are merged, as content types name it: replaced by default.

        Raises:
            LabError: the server refused.
        """
        return _object(self._ask("PATCH", path, dict(change), kind=kind))

    def replace(self, path: str, thing: Mapping[str, Any]) -> Object:
        """Write an object as a whole.

        Raises:
            LabError: the server refused.
        """
        return _object(self._ask("PUT", path, dict(thing)))

    def post(self, path: str, body: Mapping[str, Any]) -> Object:
        """Make what is below an object, such as a token or an eviction.

        Raises:
            LabError: the server refused.
        """
        return _object(self._ask("POST", path, dict(body)))

    def replace_status(self, path: str, change: Callable[[Object], None]) -> None:
        """Read an object, change its status in place, write that back.

        Raises:
            LabError: the server refused.
        """
        thing = self.get(path)
        change(thing.setdefault("status", {}))
        self._ask("PUT", f"{path}/status", thing)

    def delete(self, path: str) -> None:
        """Remove an object, if it is there.

        Raises:
            LabError: the server refused.
        """
        self._ask("DELETE", path, forgiven=_NOT_FOUND)

    def wait(self, path: str, reached: Callable[[Object], bool], what: str, *, within: float = _WITHIN) -> Object:
        """Read an object until it is as wanted.

        Raises:
            LabError: it did not become so.
        """
        end = time.monotonic() + within
        while True:
            seen = self.get(path)
            if reached(seen):
                return seen
            if time.monotonic() > end:
                raise LabError(f"Waited {within:.0f} s in vain for {what} of the lab's Kubernetes")
            time.sleep(_POLL)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _ask(
        self,
        method: str,
        path: str,
        body: Object | None = None,
        *,
        kind: str = "application/json",
        forgiven: int | None = None,
    ) -> bytes:
        from urllib3.exceptions import HTTPError

        refused = importlib.import_module("kubernetes.client.exceptions").OpenApiException
        headers = {"Accept": "application/json", "Content-Type": kind, "User-Agent": "runbook-lab"}
        url = self._client.configuration.host + path
        try:
            answer = self._client.call_api(method, url, headers, body=body, _request_timeout=_WITHIN)
            text = answer.read()
        except (HTTPError, refused, OSError) as error:
            raise LabError(f"The lab's API server can't be asked to {method} {path}: {error}") from None
        if answer.status == forgiven:
            return b""
        if answer.status >= 400:  # noqa: PLR2004 - HTTP: an error of the client or the server
            raise LabError(f"The lab's API server refused {method} {path} ({answer.status}): {text[:400].decode()}")
        return bytes(text)


def _object(text: bytes) -> Object:
    return dict(json.loads(text)) if text else {}


def collection(thing: Mapping[str, Any]) -> str:
    """Give the path of the list that an object belongs to."""
    version, kind, metadata = thing["apiVersion"], thing["kind"], thing["metadata"]
    group = f"/api/{version}" if "/" not in version else f"/apis/{version}"
    plural = kind.lower() + ("es" if kind.endswith(("s", "x")) else "s")
    within = f"/namespaces/{metadata['namespace']}" if "namespace" in metadata else ""
    return f"{group}{within}/{plural}"


def path_of(thing: Mapping[str, Any]) -> str:
    """Give the path of an object."""
    return f"{collection(thing)}/{thing['metadata']['name']}"
