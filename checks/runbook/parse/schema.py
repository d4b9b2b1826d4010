"""Records out of YAML: every mistake at once, each with its place and what to write instead."""

import copy
import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, Final, TypeVar

import msgspec

from runbook.model.errors import Invalid, Problem, did_you_mean, nearest
from runbook.parse.yaml_document import Document, Path
from runbook.safety.secret import HIDDEN, is_secret

T = TypeVar("T")
_ROUNDS: Final = 8  # of mending; our judgement: what is wrong behind so many mistakes is told the next time
DIALECT = "https://json-schema.org/draft/2020-12/schema"


DROPPED: Final = frozenset({"covers"})
"""Fields that blocks and the front matter had once; `runbook upgrade` takes them out."""
_KINDS = {
    "object": "a mapping, as in {name: value}",
    "array": "a list, as in [one, two]",
    "string": 'a text: put it in quotes, as in "1.0"',
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "left out",
}
"""What JSON Schema's types are called by those who write YAML."""
_SHORT = 80  # characters of an example that is told beside what a field means; our judgement


def json_schema(record: Any) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a record type, as published for editors."""
    return {"$schema": DIALECT, **msgspec.json.schema(record)}


def convert(document: Document, record: type[T], what: str) -> T:
    """Turn a YAML document into a record.

    Args:
        document: the YAML.
        record: the msgspec record type.
        what: how messages call it: "check", "front matter".

    Raises:
        Invalid: the document does not fit; with all of its problems.
    """
    try:
        return msgspec.convert(_completed(document, record), record)
    except msgspec.ValidationError as error:
        raise Invalid(_problems(document, record, what) or [Problem(document.start, str(error))]) from None


def _completed(document: Document, record: Any) -> Any:
    """The value of a document with what follows from it, where the record says what does."""
    complete = getattr(record, "completed", None)
    return complete(document.value) if complete and isinstance(document.value, dict) else document.value


def mended(document: Document, record: type[T], what: str, problems: list[Problem]) -> T | None:
    """Turn a YAML document into a record, going on behind mistakes: what can be read is looked at at once.

    Values that can't be taken are left out, and those that must be there stand in; `document.lost` says which.

    Args:
        document: the YAML.
        record: the msgspec record type.
        what: how messages call it.
        problems: those of the document are added to it.

    Returns:
        The record; None where too little of it is left.
    """
    try:
        return msgspec.convert(_completed(document, record), record)
    except msgspec.ValidationError as error:
        problems += _problems(document, record, what) or [Problem(document.start, str(error))]
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    validator = Draft202012Validator(json_schema(record))
    value = copy.deepcopy(_completed(document, record))
    for _ in range(_ROUNDS):
        mistakes = list(validator.iter_errors(value))
        if not mistakes:
            break
        for mistake in sorted(
            mistakes, key=lambda one: one.validator != "additionalProperties"
        ):  # a slip lacks nothing
            document.lost += _mend(document, value, mistake)
    try:
        return msgspec.convert(value, record)
    except msgspec.ValidationError:
        return None


def _mend(document: Document, whole: Any, mistake: Any) -> Iterator[Path]:
    """Take a mistake out of a value; gives the paths of what is not as it stands any more."""
    path: Path = tuple(mistake.absolute_path)
    if mistake.validator == "additionalProperties" and isinstance(mistake.instance, dict):
        known = [*mistake.schema.get("properties", ())]
        for name in [name for name in mistake.instance if name not in known]:
            value = mistake.instance.pop(name)
            if (meant := nearest(name, known)) and meant not in mistake.instance:
                mistake.instance[meant] = value
                document.call((*path, name), meant)
    elif mistake.validator == "required":
        for name in [name for name in mistake.validator_value if name not in mistake.instance]:
            schema = mistake.schema["properties"][name]
            if (stand_in := _stand_in(schema)) is not None:
                mistake.instance[name] = stand_in
            yield (*path, name)
    else:
        yield _taken_out(whole, mistake)


def _taken_out(whole: Any, mistake: Any) -> Path:
    """Take out a value that can't be taken, or spell a name as it would be right; gives its path."""
    path: Path = tuple(mistake.absolute_path)
    named = "propertyNames" in mistake.absolute_schema_path
    path = (*path, str(mistake.instance)) if named else path
    spelt = "" if named else _spelt(mistake) or _nearest_word(mistake)
    while path and isinstance(path[-1], int):  # what stands after it in its list keeps its place
        path, spelt = path[:-1], ""
    parent = whole
    for part in path[:-1]:
        parent = parent.get(part, {}) if isinstance(parent, dict) else parent[part]
    if path and isinstance(parent, dict):
        parent.pop(path[-1], None)
        if spelt:
            parent[path[-1]] = spelt
    return path


def _spelt(mistake: Any) -> str:
    """A name as it would be right, lower-case words joined by hyphens, if that is what is wrong with it; else ""."""
    spelt = re.sub(r"[^a-z0-9]+", "-", str(mistake.instance).lower()).strip("-")
    return spelt if mistake.validator == "pattern" and re.search(mistake.validator_value, spelt) else ""


def _nearest_word(mistake: Any) -> str:
    """The word that was meant, where only some words may stand; "" where none is near."""
    words = [str(word) for word in mistake.validator_value] if mistake.validator == "enum" else []
    return nearest(str(mistake.instance), words) or ""


def _stand_in(schema: dict[str, Any]) -> Any:
    """A value that may stand where one is missing; None where nobody could guess one."""
    if examples := schema.get("examples") or schema.get("enum"):
        return examples[0]
    if "$ref" in schema:
        return {}
    return "x" * max(3, schema.get("minLength", 0)) if schema.get("type") == "string" else None


def _problems(document: Document, record: Any, what: str) -> list[Problem]:
    # Only here, as most documents are right and this import costs as much as the rest of start-up.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    validator = Draft202012Validator(json_schema(record))
    found: list[Problem] = []
    for error in validator.iter_errors(_completed(document, record)):
        found += _place(document, error, what, record)
    return sorted(set(found), key=lambda problem: (problem.place.line, problem.place.column, problem.message))


def _place(document: Document, error: Any, what: str, record: Any) -> list[Problem]:
    path: Path = tuple(error.absolute_path)
    where = ".".join(str(part) for part in path) or what
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        return [
            Problem(document.key((*path, name)), f'unknown field "{name}" in {where}', _instead(name, value, known))
            for name, value in error.instance.items()
            if name not in known
        ]
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        place = document.place(path)
        return [Problem(place, f'{where} lacks "{name}"', _to_add(name, error, record)) for name in missing]
    if error.validator == "enum":
        words = [str(word) for word in error.validator_value]
        return [Problem(document.place(path), f"{where}: {error.instance!r}", did_you_mean(str(error.instance), words))]
    if error.validator == "anyOf":
        return _closest(document, error, what, record)
    note = error.schema.get("description", "").partition("\n")[0] if isinstance(error.schema, dict) else ""
    note = _list_for_mapping(error, document.place(path).file) or note
    if spelt := _spelt(error):
        note = f"{note}, as in {spelt}" if note else f"write {spelt}"
    named = "propertyNames" in error.absolute_schema_path
    place = document.key((*path, str(error.instance))) if named else document.place(path)
    example = _example(error.schema, record) if path and error.validator == "type" else ""
    return [Problem(place, f"{where}: {_plain(error, example if '{' in example else '')}", note)]


def _example(schema: dict[str, Any], record: Any) -> str:
    """A value as YAML has it on one line, with `…` for what only its author knows."""
    name = schema.get("$ref", "").rpartition("/")[2]
    schema = json_schema(record)["$defs"][name] if name else schema
    if "examples" in schema:
        return str(schema["examples"][0])
    if "items" in schema:
        return f"[{_example(schema['items'], record)}]"
    if "$ref" in (values := schema.get("additionalProperties") or {}):
        return f"{{name: {_example(values, record)}}}"
    fields = [f"{name}: {_example(schema['properties'][name], record)}" for name in schema.get("required", ())]
    return f"{{{', '.join(fields)}}}" if fields else "…"


def _list_for_mapping(error: Any, file: str) -> str:
    """What to write where a list stands in place of a mapping; "" where nobody can say."""
    if error.validator != "type" or error.validator_value != "object" or not isinstance(error.instance, list):
        return ""
    if [*error.absolute_path][-1:] == ["of"]:
        return f"each input of the view has a name: runbook upgrade {file} rewrites the list"
    fields = error.schema.get("properties", {})
    if lists := [name for name in error.schema.get("required", ()) if fields.get(name, {}).get("type") == "array"]:
        return f"write {lists[0]}: above the list"
    first = next(iter(error.instance), None)
    name = first.get("name") if isinstance(first, dict) else None
    return f"no list; each under its name, as in {name}: …" if isinstance(name, str) else ""


def _to_add(name: str, error: Any, record: Any) -> str:
    from runbook.parse.record_fields import meaning  # noqa: PLC0415 - it asks for schemas itself

    sentence = meaning(record, error.schema.get("title", ""), name)
    example = _example(error.schema["properties"][name], record)
    shown = f" {example}" if "{" in example and len(example) < _SHORT else ""
    return f"add {name}:{shown} ({sentence})" if sentence else f"add {name}:{shown}"


def _instead(name: str, value: Any, known: list[str]) -> str:
    if name in DROPPED:
        return "there is no such field any more: runbook upgrade FILE takes it out"
    if value is None and " " in name:
        return 'within { } a text with a comma needs quotes: "one, two"'
    return did_you_mean(name, known)


def _closest(document: Document, error: Any, what: str, record: Any) -> list[Problem]:
    """Of alternatives, report the one that goes wrong deepest: the one that was meant.

    Of two that go wrong as deep, that is the one of the kind that stands there.
    """
    branches: dict[Any, list[Any]] = {}
    for part in error.context:
        branches.setdefault(part.schema_path[0], []).append(part)
    kinds = [_KINDS.get(str(parts[0].validator_value), "") for parts in branches.values() if _is_of_kind(parts, error)]
    if len(kinds) == len(branches) and all(kinds):
        where = ".".join(map(str, error.absolute_path)) or what
        told = " or ".join(kind for kind in kinds if kind != _KINDS["null"])
        return [Problem(document.place(tuple(error.absolute_path)), f"{where}: {_of_kind(error, told)}")]
    depth = {name: max(len(part.absolute_path) for part in parts) for name, parts in branches.items()}
    meant = max(branches, key=lambda name: (depth[name], not _is_of_kind(branches[name], error)), default=None)
    return [problem for part in branches.get(meant, []) for problem in _place(document, part, what, record)]


def _is_of_kind(parts: list[Any], error: Any) -> bool:
    """Whether all that one alternative says is that the whole value is of another kind."""
    return [part.validator for part in parts] == ["type"] and parts[0].absolute_path == error.absolute_path


def _shown(error: Any) -> str:
    hidden = any(is_secret(str(part)) for part in error.absolute_path)
    written = repr if isinstance(error.instance, str) else partial(json.dumps, ensure_ascii=False, default=str)
    shown = HIDDEN if hidden else written(error.instance)
    return shown if len(shown) < 80 else shown[:77] + "…"  # noqa: PLR2004 - one line of a terminal


def _of_kind(error: Any, kind: str) -> str:
    """Say of which kind a value should be."""
    if error.instance is None:
        return f"nothing stands here; it should be {kind.partition(': put')[0]}"
    return f"{_shown(error)} should be {kind}"


def _plain(error: Any, whole: str = "") -> str:
    """What is wrong, in a sentence; `whole` is how a record may look that should stand there."""
    example = next(iter(error.schema.get("examples", ())), "") if isinstance(error.schema, dict) else ""
    match error.validator:
        case "type":
            kind = _KINDS.get(str(error.validator_value), str(error.validator_value))
            if whole:
                return _of_kind(error, f"{kind.partition(', as in')[0]}, as in {whole}")
            return _of_kind(error, kind.replace("1.0", example) if example else kind)
        case "pattern":
            return f"{_shown(error)} does not match {f'the form of {example}' if example else error.validator_value}"
        case "minLength" | "minItems" | "minProperties":
            unit = {"minLength": "characters", "minItems": "entries", "minProperties": "fields"}[error.validator]
            return "must not be empty" if error.validator_value == 1 else f"fewer than {error.validator_value} {unit}"
        case "maxLength":
            return f"longer than {error.validator_value} characters"
        case _:
            return str(error.message)[:200]
