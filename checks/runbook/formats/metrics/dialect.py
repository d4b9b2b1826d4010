"""How JMX exporters name MBeans for Prometheus: it depends on the rules they were given.

| dialect | rules |
|---|---|
| `plain` | none: the exporter names by itself |
| `jmx_exporter` | the example for Kafka that comes with the exporter |
| `strimzi` | Strimzi's example, `kafka-metrics.yaml` |
| `confluent` | Confluent's jmx-monitoring-stacks, `kafka_broker.yml` |
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from runbook.formats.metrics import object_name
from runbook.formats.metrics.metric import Metric
from runbook.formats.metrics.object_name import ObjectName

_PERCENTILE: Final = re.compile(r"(\d+)thPercentile")
_PER_SECOND: Final = re.compile(r"(.+)PerSec")
_PERCENT: Final = re.compile(r"(.+)Percent\w*")
_INVALID: Final = re.compile(r"[^a-zA-Z0-9_]+")
_RATE: Final = "OneMinuteRate"


class Series(Struct, frozen=True):
    """Where a metric is found.

    Attributes:
        names: that it may have; exporters of different versions end counters differently.
        labels: that it must have.
        stars: the labels that hold what the metric's stars stand for.
        scale: what a sample is multiplied by.
        counter: it only counts, and what is wanted is how fast.
    """

    names: tuple[str, ...]
    labels: dict[str, str] = {}
    stars: tuple[str, ...] = ()
    scale: float = 1.0
    counter: bool = False


class Unnamed(Exception):  # noqa: N818 - it reads as what is said of the metric
    """The rules of a dialect leave a metric out; the message says so."""


def series(metric: Metric, dialect: str) -> list[Series]:
    """Where to look for a metric, the best place first.

    Raises:
        Unnamed: nowhere: the dialect's rules leave it out.
    """
    places = [_as_exported(metric)] if metric.exported else []
    if metric.pairs:
        raise Unnamed("exporters send numbers, and this is text")
    if metric.bean:
        try:
            places.append(DIALECTS[dialect](object_name.read(metric.bean), metric))
        except Unnamed:
            if not places:
                raise
    return places


def _as_exported(metric: Metric) -> Series:
    exported = metric.exported
    assert exported is not None
    fixed = {label: value for label, value in exported.labels if value != "*"}
    stars = tuple(label for label, value in exported.labels if value == "*")
    return Series(exported.names, fixed, stars, exported.scale)


def _plain(bean: ObjectName, metric: Metric) -> Series:
    """Domain, first key's value and attribute make the name, the other keys are labels."""
    if bean.domain == "java.lang" and bean.stars():
        # The JVM writes `name` before `type`, so the series would have the collector's or pool's name in its own.
        raise Unnamed("an exporter without rules hides it under as many names as there are MBeans")
    (_, first), *rest = bean.keys
    parts = [bean.domain, first, metric.attribute, *([metric.field] if metric.field else [])]
    name = re.sub("_+", "_", _INVALID.sub("_", "_".join(parts)))
    return _with_keys((name,), dict(rest))


def _strimzi(bean: ObjectName, metric: Metric) -> Series:
    return _by_rules(bean, metric, percent=True, separator="")


def _jmx_exporter(bean: ObjectName, metric: Metric) -> Series:
    return _by_rules(bean, metric, percent=False, separator="_")


def _by_rules(bean: ObjectName, metric: Metric, *, percent: bool, separator: str) -> Series:
    """Counters end in _total or _count, percentiles are the label `quantile`, other attributes are left out."""
    name, keys = _named(bean)
    if not name:
        if bean.stars():  # what is left of several MBeans is one series that says of none of them which it is
            raise Unnamed(f"these rules leave out of which {' and '.join(bean.stars())} {metric.bean} is")
        attribute = _INVALID.sub("_", metric.attribute)
        kind = bean.keys[0][1].replace("-", separator)
        return _with_keys((f"{_room(bean)}_{kind}_{attribute}".lower(),), {})
    stem = f"{_room(bean)}_{bean.keys[0][1]}_"
    if metric.attribute == "Value":
        gauge = _PERCENT.fullmatch(name) if percent else None
        return _with_keys(((stem + (f"{gauge[1]}_percent" if gauge else name)).lower(),), keys)
    if metric.attribute in ("Count", _RATE) and (meter := _PER_SECOND.match(name)):
        return _with_keys((f"{stem}{meter[1]}_total".lower(),), keys, counter=metric.attribute == _RATE)
    if metric.attribute == "Count":
        counted = f"{stem}{name}_count".lower()
        return _with_keys((counted, f"{counted}_total"), keys)
    if quantile := _PERCENTILE.fullmatch(metric.attribute):
        return _with_keys(((stem + name).lower(),), keys, {"quantile": f"0.{quantile[1]}"})
    if metric.attribute == _RATE and _PERCENT.fullmatch(name):
        raise Unnamed("these rules export its mean since the start, which hides what is going on now")
    raise Unnamed(f"these rules leave out the attribute {metric.attribute} of {metric.bean}")


def _confluent(bean: ObjectName, metric: Metric) -> Series:
    """Count and Value share the name; percentiles are the label `quantile`; a few rates have names of their own."""
    name, keys = _named(bean)
    if not name:
        raise Unnamed(f"these rules leave out {metric.bean}")
    stem = f"{_room(bean)}_{bean.keys[0][1]}_{name}".lower()
    keys = {key.lower(): value for key, value in keys.items()}
    if metric.attribute in ("Value", "Count"):
        return _with_keys((stem,), keys)
    if quantile := _PERCENTILE.fullmatch(metric.attribute):
        return _with_keys((stem,), keys, {"quantile": f"0.{quantile[1]}"})
    if metric.attribute == _RATE and name == "RequestHandlerAvgIdlePercent":
        return _with_keys((f"{stem}_total", stem), keys)
    if metric.attribute == _RATE and _PER_SECOND.match(name):
        return _with_keys((stem,), keys, counter=True)
    raise Unnamed(f"these rules leave out the attribute {metric.attribute} of {metric.bean}")


def _named(bean: ObjectName) -> tuple[str, dict[str, str]]:
    """The key `name`, and the keys after it; rules are for domains of Kafka's only.

    Raises:
        Unnamed: it is of another domain.
    """
    if not re.fullmatch(r"kafka\.\w+", bean.domain):
        raise Unnamed(f"these rules leave out the domain {bean.domain}")
    keys = dict(bean.keys)
    keys.pop("type", None)
    return keys.pop("name", ""), keys


def _room(bean: ObjectName) -> str:
    return bean.domain.replace(".", "_")


def _with_keys(
    names: tuple[str, ...], keys: Mapping[str, str], more: Mapping[str, str] | None = None, *, counter: bool = False
) -> Series:
    written = {_INVALID.sub("_", key): value for key, value in keys.items()}
    fixed = {key: value for key, value in written.items() if value != "*"} | dict(more or {})
    return Series(names, fixed, tuple(key for key, value in written.items() if value == "*"), counter=counter)


DIALECTS: Final[dict[str, Callable[[ObjectName, Metric], Series]]] = {
    "plain": _plain,
    "jmx_exporter": _jmx_exporter,
    "strimzi": _strimzi,
    "confluent": _confluent,
}
