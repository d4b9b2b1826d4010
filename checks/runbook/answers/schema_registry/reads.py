"""Every request to a registry, as published. None changes anything: all are GET but one, which tries a schema."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

_URL: Final = "{url}"

CONFIG: Final = "GET {url}/config"
MODE: Final = "GET {url}/mode"
TYPES: Final = "GET {url}/schemas/types"
VERSION: Final = "GET {url}/v1/metadata/version"
SUBJECTS: Final = "GET {url}/subjects"
ALL_SUBJECTS: Final = "GET {url}/subjects?deleted=true"
SUBJECT_CONFIG: Final = "GET {url}/config/{subject}?defaultToGlobal=true"
SUBJECT_MODE: Final = "GET {url}/mode/{subject}?defaultToGlobal=true"
SCHEMAS: Final = "GET {url}/schemas?offset={offset}&limit={limit}"
ALL_SCHEMAS: Final = "GET {url}/schemas?deleted=true&offset={offset}&limit={limit}"
VERSIONS: Final = "GET {url}/subjects/{subject}/versions"
SCHEMA: Final = "GET {url}/subjects/{subject}/versions/{version}"
ALL_VERSIONS: Final = "GET {url}/subjects/{subject}/versions?deleted=true"
DELETED_SCHEMA: Final = "GET {url}/subjects/{subject}/versions/{version}?deleted=true"

TRY: Final = (
    "POST {url}/compatibility/subjects/{subject}/versions/latest?verbose=true with a schema, which is not stored"
)

INSTANCE: Final = (CONFIG, MODE, TYPES, VERSION)
"""What each instance is asked about itself."""

WITH_DELETED: Final = (ALL_SUBJECTS, ALL_SCHEMAS, ALL_VERSIONS, DELETED_SCHEMA)
"""What it is asked about what was deleted and can be had back."""

READS: Final = (*INSTANCE, SUBJECTS, SUBJECT_CONFIG, SUBJECT_MODE, SCHEMAS, VERSIONS, SCHEMA, *WITH_DELETED, TRY)
"""Everything a connection sends."""


def path(request: str, of: Mapping[str, object]) -> str:
    """The path of a request below an instance's address; names go into it quoted, whatever they hold."""
    filled = {name: quote(str(value), safe="") for name, value in of.items()}
    return request.split()[1].removeprefix(_URL).format(**filled)


def described(request: str) -> dict[str, Any]:
    """A request as HTTP has it."""
    method, where, *_ = request.split()
    return {"method": method, "path": where.removeprefix(_URL)}
