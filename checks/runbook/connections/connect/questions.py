"""The questions there are: paths of Connect's REST interface, all of them asked by GET."""

from typing import Any, Final

WORKER: Final = "/"
NAMES: Final = "/connectors"
CONNECTORS: Final = "/connectors?expand=info&expand=status"
PLUGINS: Final = "/connector-plugins?connectorsOnly=false"


def read(path: str) -> str:
    """A request as it is published."""
    return f"GET {{worker}}{path}"


READS: Final = tuple(read(path) for path in (WORKER, NAMES, CONNECTORS, PLUGINS))
"""Everything a connection sends."""

RIGHT: Final = "Connect: GET on the REST interface of its workers"


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it."""
    return {"method": "GET", "path": request.removeprefix("GET {worker}")}
