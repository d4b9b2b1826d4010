"""Jolokia's protocol: many reads in one request, and what came of each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from runbook.formats.metrics import Labels, Metric, Sheet, Value, object_name
from runbook.model.errors import Garbled

_OK, _DENIED, _NOT_FOUND = 200, 403, 404
_FAILED = "ERROR: "  # begins the value of an attribute that could not be read, among others that could
_ONE_BY_ONE = "SystemProperties"  # all of them together would bring passwords along
_LONGEST = 200  # characters of an agent's own words


class AttributeQuestion(Struct, frozen=True):
    """One read: attributes of one MBean, or of all that fit a pattern."""

    bean: str
    metrics: tuple[Metric, ...]
    path: str = ""

    @property
    def attributes(self) -> list[str]:
        """The attributes to read, each once."""
        return list(dict.fromkeys(metric.attribute for metric in self.metrics))

    @property
    def is_pattern(self) -> bool:
        """Whether more than one MBean may answer."""
        return "*" in self.bean


def questions(asked: Sequence[Metric]) -> list[AttributeQuestion]:
    """The reads that bring these metrics: one for each MBean."""
    beans: dict[str, list[Metric]] = {}
    alone = []
    for metric in asked:
        if metric.attribute == _ONE_BY_ONE:
            alone.append(AttributeQuestion(bean=metric.bean, metrics=(metric,), path=metric.field))
        elif metric.bean:
            beans.setdefault(metric.bean, []).append(metric)
    return [*(AttributeQuestion(bean=bean, metrics=tuple(metrics)) for bean, metrics in beans.items()), *alone]


def body(asked: Sequence[AttributeQuestion]) -> bytes:
    """The request's body. One attribute that can't be read must not cost the others; traces of stacks help nobody."""
    config = {"ignoreErrors": "true", "includeStackTrace": "false"}
    return msgspec.json.encode([_request(question) | {"config": config} for question in asked])


def _request(question: AttributeQuestion) -> dict[str, Any]:
    request: dict[str, Any] = {"type": "read", "mbean": question.bean}
    if question.path:
        return request | {"attribute": question.attributes[0], "path": _escaped(question.path)}
    return request | {"attribute": question.attributes}


def _escaped(path: str) -> str:
    """One element of a Jolokia path: `!` and `/` have meanings of their own."""
    return path.replace("!", "!!").replace("/", "!/")


def read(answer: bytes, asked: Sequence[AttributeQuestion], jvm: int | str) -> Sheet:
    """What a JVM told.

    Raises:
        Garbled: it is no answer to these questions.
    """
    try:
        answers = msgspec.json.decode(answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled(f"did not answer in Jolokia's protocol: {str(error)[:_LONGEST]}") from error
    if isinstance(answers, dict):  # one error for everything
        raise Garbled(f"refused the whole request: {_words(answers)}")
    if not isinstance(answers, list) or len(answers) != len(asked):
        raise Garbled("did not answer each question once")
    sheet = Sheet(jvm)
    for question, given in zip(asked, answers, strict=True):
        if not isinstance(given, dict) or not isinstance(given.get("status"), int):
            raise Garbled("gave an answer without a status")
        _note(sheet, question, given)
    return sheet


def _note(sheet: Sheet, question: AttributeQuestion, answer: Mapping[str, Any]) -> None:
    status = answer["status"]
    if status == _OK:
        for metric in question.metrics:
            _note_values(sheet, metric, _values(question, metric, answer.get("value")))
    elif _is_absence(answer):
        sheet.absent.update(question.metrics)
    elif status == _DENIED:
        reason = f"its access policy does not let us read {question.bean}"
        sheet.unknown.update(dict.fromkeys(question.metrics, reason))
    else:
        reason = f"{question.bean} could not be read: {_words(answer)}"
        sheet.unknown.update(dict.fromkeys(question.metrics, reason))


def _is_absence(answer: Mapping[str, Any]) -> bool:
    """Whether an error says that there is no such MBean, or that of those that fit a pattern none has the attribute."""
    missing = answer["status"] == _NOT_FOUND and "NotFoundException" in str(answer.get("error_type"))
    return missing or "No matching attributes" in str(answer.get("error"))


def _note_values(sheet: Sheet, metric: Metric, found: Mapping[Labels, Any]) -> None:
    """Sort what was found into values, what is not there, and what could not be read."""
    values: dict[Labels, Value] = {}
    for labels, value in found.items():
        if isinstance(value, str) and value.startswith(_FAILED):
            if "AttributeNotFoundException" not in value:
                sheet.unknown[metric] = f"{metric.bean} {metric.attribute}: {value.removeprefix(_FAILED)[:_LONGEST]}"
        elif (plain := _plain(value)) is not None:
            values[labels] = plain
    if values:
        sheet.values[metric] = values
    elif metric not in sheet.unknown:
        sheet.absent.add(metric)


def _values(question: AttributeQuestion, metric: Metric, value: Any) -> dict[Labels, Any]:
    if question.path:
        return {(): value}
    if metric.pairs:
        return {
            labels: text for _, attributes in _beans(question, value) for labels, text in _pairs(attributes, metric)
        }
    return {labels: _field(attributes, metric) for labels, attributes in _beans(question, value)}


def _beans(question: AttributeQuestion, value: Any) -> Iterator[tuple[Labels, Mapping[str, Any]]]:
    """The attributes of each MBean that answered, with what the stars stand for in its name."""
    if not isinstance(value, dict):
        raise Garbled(f"told {question.bean} in a way that Jolokia does not")
    if not question.is_pattern:
        yield (), value
        return
    pattern = object_name.read(question.bean)
    for name, attributes in value.items():
        try:
            labels = object_name.labels(pattern, object_name.read(name))
        except ValueError as error:
            raise Garbled(f"named an MBean wrongly: {error}") from error
        if labels is not None and isinstance(attributes, dict):
            yield labels, attributes


def _pairs(attributes: Mapping[str, Any], metric: Metric) -> Iterator[tuple[Labels, Any]]:
    """A list of texts `name=value`, or what came instead of it."""
    answer = attributes.get(metric.attribute)
    if not isinstance(answer, list):
        yield (), answer
        return
    for pair in answer:
        name, _, value = str(pair).rpartition("=")
        yield (name,), value


def _field(attributes: Mapping[str, Any], metric: Metric) -> Any:
    value = attributes.get(metric.attribute)
    if metric.field and not (isinstance(value, str) and value.startswith(_FAILED)):
        return value.get(metric.field) if isinstance(value, dict) else None
    return value


def _plain(value: Any) -> Value | None:
    """A number or a text; Jolokia writes a number that is none, or infinite, as text."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value.lower().replace("infinity", "inf"))
    return value if isinstance(value, (int, float, str)) else None


def _words(answer: Mapping[str, Any]) -> str:
    return str(answer.get("error", "no reason given"))[:_LONGEST]
