"""From samples of series to a sheet."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from runbook.formats.metrics.dialect import Series, Unnamed, series
from runbook.formats.metrics.exposition import Sample
from runbook.formats.metrics.metric import Labels, Metric, Sheet

# Labels that come from an MBean's name: a series that has one which was not asked for is of another MBean (the bytes
# of one topic, not of the broker). Other labels come from Prometheus' own settings and mean nothing here.
_OF_BEANS: Final = frozenset(
    {
        *(
            "brokerhost",
            "brokerport",
            "cipher",
            "client_id",
            "clientid",
            "delayedoperation",
            "error",
            "listener",
            "name",
        ),
        *("networkprocessor", "partition", "processor", "protocol", "quantile", "request", "topic", "version"),
    }
)


def names(asked: Sequence[Metric], dialect: str) -> set[str]:
    """The names of every series that may hold one of these metrics."""
    found: set[str] = set()
    for metric in asked:
        try:
            found.update(name for place in series(metric, dialect) for name in place.names)
        except Unnamed:
            continue
    return found


def sheet(jvm: int | str, samples: Iterable[Sample], asked: Sequence[Metric], dialect: str) -> Sheet:
    """What the samples of one JVM tell of the metrics asked for.

    A series that is not there proves nothing: the exporter may leave it out. So no metric is ever proved absent.
    """
    by_name: dict[str, list[Sample]] = {}
    for sample in samples:
        by_name.setdefault(sample.name, []).append(sample)
    made = Sheet(jvm)
    for metric in asked:
        try:
            found = _first_found(series(metric, dialect), by_name)
        except Unnamed as reason:
            made.unknown[metric] = str(reason)
            continue
        except ValueError as reason:
            made.unknown[metric] = str(reason)
            continue
        if found:
            made.values[metric] = dict(found)
        else:
            made.unknown[metric] = f"its exporter shows nothing of {metric.bean or metric.attribute}"
    return made


def _first_found(places: Sequence[Series], by_name: dict[str, list[Sample]]) -> dict[Labels, float]:
    """The values at the first place that has any.

    Raises:
        ValueError: two series claim to be the same, or a rate would have to be made of one sample.
    """
    for place in places:
        for name in place.names:
            found: dict[Labels, float] = {}
            for labels, sample in _matching(place, by_name.get(name, ())):
                if labels in found:
                    raise ValueError(f"two series of {name} claim to be the same: narrow the selector")
                found[labels] = (_speed(sample) if place.counter else sample.value) * place.scale
            if found:
                return found
    return {}


def _matching(place: Series, samples: Iterable[Sample]) -> Iterator[tuple[Labels, Sample]]:
    expected = {*place.labels, *place.stars}
    for sample in samples:
        strange = {label for label in sample.labels if label.lower() in _OF_BEANS} - expected
        if strange or any(sample.labels.get(label) != value for label, value in place.labels.items()):
            continue
        if all(star in sample.labels for star in place.stars):
            yield tuple(sample.labels[star] for star in place.stars), sample


def _speed(sample: Sample) -> float:
    """How much a counter grew a second between its samples; one that starts anew has lost what it had.

    Raises:
        ValueError: there is one sample only, or all are of one moment.
    """
    first, *later = sample.points
    if not later or later[-1].time <= first.time:
        raise ValueError(f"one sample of the counter {sample.name} gives no rate")
    grown, before = 0.0, first.value
    for point in later:
        grown += point.value - before if point.value >= before else point.value
        before = point.value
    return grown / (later[-1].time - first.time)
