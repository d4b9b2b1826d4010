"""A server that answers as a Schema Registry does: Confluent's, or Apicurio's, which leaves things out.

Apicurio's answers are those of version 3.3.3 in the lab; Confluent's follow its published API reference.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from support.http_servers import Answer, Asked, http_server

PAGE = 1000
NOT_FOUND = Answer(json.dumps({"error_code": 404, "message": "HTTP 404 Not Found"}).encode(), 404)

Style = Literal["confluent", "apicurio"]


class Content:
    """What a registry holds: schemas by subject, the first version first; deleted subjects; levels and modes."""

    def __init__(
        self,
        subjects: Mapping[str, list[Any]],
        *,
        style: Style = "confluent",
        level: str = "BACKWARD",
        levels: Mapping[str, str] | None = None,
        deleted: tuple[str, ...] = (),
        deleted_versions: Mapping[str, set[int]] | None = None,
    ) -> None:
        """Hold these; a schema is a text, or a mapping with what the registry tells of it."""
        self.gone = {(name, number) for name, numbers in (deleted_versions or {}).items() for number in numbers}
        self.subjects = {name: [self._schema(version) for version in versions] for name, versions in subjects.items()}
        self.style, self.level, self.levels, self.deleted = style, level, levels or {}, deleted
        self._all = [
            {"subject": name, "version": number, "id": number, **schema}
            for name, versions in sorted(self.subjects.items())
            for number, schema in enumerate(versions, 1)
        ]

    @staticmethod
    def _schema(schema: Any) -> dict[str, Any]:
        return schema if isinstance(schema, dict) else {"schema": schema}

    def answer(self, asked: Asked) -> Answer:
        """Answer as the registry would."""
        parts = urlsplit(asked.path)
        answer = self._answer([unquote(part) for part in parts.path.strip("/").split("/")], parse_qs(parts.query))
        return NOT_FOUND if answer is None else Answer(json.dumps(answer).encode())

    def _answer(self, path: list[str], query: Mapping[str, list[str]]) -> Any:  # noqa: C901, PLR0911 - a table of paths
        match path:
            case ["config"]:
                return {"compatibilityLevel": self.level}
            case ["config", subject]:
                return {"compatibilityLevel": self.levels.get(subject, self.level)}
            case ["mode"] | ["mode", _]:
                return {"mode": "READWRITE"}
            case ["schemas", "types"]:
                return ["JSON", "PROTOBUF", "AVRO"]
            case ["v1", "metadata", "version"] if self.style == "confluent":
                return {"version": "8.0.0", "commitId": "abc"}
            case ["compatibility", "subjects", subject, "versions", "latest"] if subject in self.subjects:
                return {"is_compatible": False, "messages": ["no"]}
            case ["subjects"]:
                return [*self.subjects, *(self.deleted if "deleted" in query else ())]
            case ["schemas"]:
                return self._page(query)
            case ["subjects", subject, "versions"] if subject in self.subjects:
                return [version["version"] for version in self._seen(query) if version["subject"] == subject]
            case ["subjects", subject, "versions", number] if subject in self.subjects:
                mine = (version for version in self._seen(query) if version["subject"] == subject)
                return next((version for version in mine if version["version"] == int(number)), None)
        return None

    def _seen(self, query: Mapping[str, list[str]]) -> list[dict[str, Any]]:
        gone = set() if "deleted" in query else self.gone
        return [version for version in self._all if (version["subject"], version["version"]) not in gone]

    def _page(self, query: Mapping[str, list[str]]) -> Any:
        if self.style == "apicurio":
            return [{"schema": version["schema"]} for version in self._seen(query)]
        start = int(query["offset"][0])
        return self._seen(query)[start : start + min(PAGE, int(query["limit"][0]))]


@contextmanager
def registry_server(content: Content) -> Iterator[tuple[str, list[Asked]]]:
    """Serve it; gives host:port, and the list of requests, which grows."""
    with http_server(content.answer) as served:
        yield served
