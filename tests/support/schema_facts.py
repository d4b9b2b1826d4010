"""Facts about a Schema Registry, as its probes give them."""

import json
from collections.abc import Mapping
from typing import Any

from runbook.model.fact import Fact, Gap, Observed, tabulate
from runbook.probes import schema_subject, schema_version


def avro(*fields: Any, name: str = "Order", **more: Any) -> str:
    """A record; a field is its name and type, with a default if a third is given."""
    described = [
        dict(zip(("name", "type", "default"), field, strict=False)) if isinstance(field, tuple) else field
        for field in fields
    ]
    return json.dumps({"type": "record", "name": name, "namespace": "shop", "fields": described, **more})


def versions(subjects: Mapping[str, list[Any]], gaps: tuple[Gap, ...] = ()) -> Fact:
    """schema_version: a version is its text, or (type, text, references)."""
    rows = []
    for subject, history in subjects.items():
        for number, version in enumerate(history, 1):
            kind, text, references = version if isinstance(version, tuple) else ("AVRO", version, {})
            rows.append(
                schema_version.SchemaVersion(
                    subject=subject,
                    version=number,
                    id=number,
                    type=kind,
                    schema=text,
                    size=len(text),
                    references=references,
                    deleted=False,
                )
            )
    return tabulate("schema_version", schema_version.PROBE.columns, Observed(rows=rows, gaps=[*gaps]))


def subjects(levels: Mapping[str, str | None], deleted: tuple[str, ...] = ()) -> Fact:
    """schema_subject."""
    listed = [(subject, False, level) for subject, level in levels.items()] + [
        (subject, True, "") for subject in deleted
    ]
    rows = [
        schema_subject.SchemaSubject(subject=subject, context="", name=subject, deleted=gone, compatibility=level)
        for subject, gone, level in listed
    ]
    return tabulate("schema_subject", schema_subject.PROBE.columns, Observed(rows=rows))
