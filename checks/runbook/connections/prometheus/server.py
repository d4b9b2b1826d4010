"""A Prometheus server: one query brings every sample that is fresh, and nothing older is taken for a fact."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from runbook.connections._http import Web, each
from runbook.connections._memory import Memory
from runbook.connections.prometheus.settings import ServerSettings
from runbook.formats.metrics import Metric, ScrapedPage, ScrapeTarget, Sheet, Sheets, samples
from runbook.formats.metrics.exposition import Point, Sample
from runbook.formats.metrics.meters import IDENTITY
from runbook.formats.metrics.table import not_named
from runbook.model.errors import CannotLook, Garbled
from runbook.model.fact import Gap

_LAST_NUMBER = re.compile(r"(\d+)$")
_LONGEST = 200  # characters of the server's own words
_UP = "up"


class PrometheusServer:
    """Metrics that a Prometheus server collected, each kind asked for once per connection."""

    def __init__(self, web: Web, settings: ServerSettings) -> None:
        """Ask this server."""
        self._web = web
        self._settings = settings
        self._memory = Memory()

    def close(self) -> None:
        """Close all connections."""
        self._web.close()

    def brokers(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each broker and controller with fresh samples."""
        selector, named = self._settings.selector, self._settings.brokers
        return self._memory.once(
            ("brokers", asked), lambda: self._ask(selector, (IDENTITY, *asked), self._broker, named)
        )

    def applications(self, asked: tuple[Metric, ...]) -> Sheets:
        """Return a sheet for each application with fresh samples."""
        selector = self._settings.applications
        if selector is None:
            return not_named("application_selector", "prometheus")
        if not selector:
            return [], []
        return self._memory.once(("applications", asked), lambda: self._ask(selector, asked, self._application))

    def targets(self) -> tuple[Sequence[ScrapeTarget], Sequence[Gap]]:
        """Return every target that the server scrapes, or fails to."""
        found, warnings = self._fetch(f"{_UP}[{self._settings.max_age}s]")
        gaps = [_warning(text) for text in warnings]
        targets = [
            ScrapeTarget(job=sample.labels.get("job", ""), instance=instance, up=sample.value == 1)
            for instance, its in found.items()
            for sample in its
        ]
        return targets, gaps or ([] if targets else [Gap("Prometheus lists no target that it scrapes")])

    def broker_pages(self) -> tuple[Sequence[ScrapedPage], Sequence[Gap]] | str:
        """Return what the targets of brokers and controllers showed when they were scraped last."""
        identity = samples.names((IDENTITY,), self._settings.dialect)
        if not identity:
            return f"exporters with the rules of {self._settings.dialect} do not show which node a page is of"
        found, warnings = self._fetch(_query(self._settings.selector, {_UP, *identity}, self._settings.max_age))
        by_target: dict[tuple[str, str], list[Sample]] = {}
        for instance, its in found.items():
            for sample in its:
                by_target.setdefault((sample.labels.get("job", ""), instance), []).append(sample)
        pages = [self._page(job, instance, its) for (job, instance), its in by_target.items()]
        gaps = [_warning(text) for text in warnings]
        return pages, gaps or ([] if pages else [self._nothing(self._settings.selector)])

    def _page(self, job: str, instance: str, its: Sequence[Sample]) -> ScrapedPage:
        scraped = all(sample.value == 1 for sample in its if sample.name == _UP)
        told = samples.sheet("", its, (IDENTITY,), self._settings.dialect).values.get(IDENTITY, {})
        shown = [(int(node), int(since)) for (node,), since in told.items() if node.isdecimal()] if scraped else []
        node, started_ms = (None, None) if len(shown) > 1 else shown[0] if shown else (-1, -1)
        return ScrapedPage(job=job, instance=instance, node=node, started_ms=started_ms)

    def _ask(
        self,
        selector: Mapping[str, str],
        asked: Sequence[Metric],
        identify: Any,
        named: Mapping[str, int] = MappingProxyType({}),
    ) -> Sheets:
        names = {_UP, *samples.names(asked, self._settings.dialect)}
        found, warnings = self._fetch(_query(selector, names, self._settings.max_age))
        gaps = [_warning(text) for text in warnings] + self._missing(named, found)
        jvms = {instance: identify(instance, its) for instance, its in found.items()}
        sheets: list[Sheet] = []
        for instance, jvm in sorted(_distinct(jvms).items(), key=lambda one: (str(one[1]), one[0])):
            sheet = self._sheet(instance, jvm, found[instance], asked)
            if isinstance(sheet, Sheet):
                sheets.append(sheet)
            else:
                gaps.append(sheet)
        return sheets, gaps or ([] if sheets else [self._nothing(selector)])

    def _fetch(self, query: str) -> tuple[dict[str, list[Sample]], list[str]]:
        """Put a query, and give samples by instance, and warnings."""

        def put(_: str, url: str) -> tuple[dict[str, list[Sample]], list[str]]:
            return _read(self._web.post_form(url, {"query": query}))

        # By `each`, as it bounds the whole time of an answer.
        answer = each({"": f"{self._settings.url}/api/v1/query"}, put, self._web.clock)[""]
        if isinstance(answer, CannotLook):
            raise type(answer)(f"the Prometheus server ({self._settings.url}) {answer}")
        found: tuple[dict[str, list[Sample]], list[str]] = answer
        return found

    def _sheet(
        self, instance: str, jvm: int | str | None, its: Sequence[Sample], asked: Sequence[Metric]
    ) -> Sheet | Gap:
        keys: dict[str, str | int] = {"broker": jvm} if isinstance(jvm, int) else {}
        if any(sample.name == _UP and sample.value != 1 for sample in its):
            return Gap(f"Prometheus can't scrape {instance}: what it has of it is from before", keys)
        if jvm is None:
            remedy = "name it under `brokers` of prometheus, or give `broker_label`"
            return Gap(f"it is unknown which broker {instance} is: {remedy}")
        return samples.sheet(jvm, its, asked, self._settings.dialect)

    def _broker(self, instance: str, its: Sequence[Sample]) -> int | None:
        """The node id: as the inventory says, as a label ends, or as the broker itself tells."""
        settings = self._settings
        if instance in settings.brokers:
            return settings.brokers[instance]
        if settings.broker_label:
            found = {_LAST_NUMBER.search(sample.labels.get(settings.broker_label, "")) for sample in its}
            numbers = {int(match[1]) for match in found if match}
        else:
            identities = samples.sheet("", its, (IDENTITY,), settings.dialect).values.get(IDENTITY, {})
            numbers = {int(labels[0]) for labels in identities if labels[0].isdecimal()}
        return numbers.pop() if len(numbers) == 1 else None

    def _application(self, instance: str, its: Sequence[Sample]) -> str:
        """The application's name; two instances of it are told apart by their addresses."""
        names = {sample.labels.get(self._settings.application_label, "") for sample in its} - {""}
        return names.pop() if len(names) == 1 else instance

    def _missing(self, named: Mapping[str, int], found: Mapping[str, object]) -> list[Gap]:
        """A gap for each broker that the inventory names and the server knows nothing of: not, or no more, scraped."""
        recent = f"of the last {self._settings.max_age} s"
        return [
            Gap(f"Prometheus has no sample of {instance} {recent}: is it a target?", {"broker": broker})
            for instance, broker in named.items()
            if instance not in found
        ]

    def _nothing(self, selector: Mapping[str, str]) -> Gap:
        shown = ", ".join(f"{label}={value}" for label, value in selector.items())
        return Gap(f"Prometheus has no sample with {shown} of the last {self._settings.max_age} s")


def _distinct(jvms: Mapping[str, int | str | None]) -> dict[str, int | str | None]:
    """Who each instance is: of several that would be the same, an application gets its address; a broker is nobody."""
    count = Counter(jvms.values())
    return {
        instance: jvm if count[jvm] == 1 else f"{jvm} {instance}" if isinstance(jvm, str) else None
        for instance, jvm in jvms.items()
    }


def _warning(text: str) -> Gap:
    return Gap(f"Prometheus warns that its answer may lack something: {text}")


def _query(selector: Mapping[str, str], names: set[str], max_age: int) -> str:
    """Samples of a range carry their own times; those of a moment would all claim to be of now."""
    matchers = [f"{label}={json.dumps(value)}" for label, value in selector.items()]
    return "{" + ",".join([*matchers, f'__name__=~"{"|".join(sorted(names))}"']) + f"}}[{max_age}s]"


def _read(answer: bytes) -> tuple[dict[str, list[Sample]], list[str]]:
    """The samples by instance, and the server's warnings."""
    try:
        response = msgspec.json.decode(answer)
        if response["status"] != "success":
            raise Garbled(f"refused the query: {str(response.get('error'))[:_LONGEST]}")
        found: dict[str, list[Sample]] = {}
        for sample in _samples(response["data"]["result"]):
            found.setdefault(sample.labels.get("instance", "the one target"), []).append(sample)
        return found, [str(text)[:_LONGEST] for text in response.get("warnings", ())]
    except (
        msgspec.DecodeError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise Garbled(f"did not answer as Prometheus does: {type(error).__name__}") from error


def _samples(result: Any) -> Iterator[Sample]:
    for series in result:
        labels = dict(series["metric"])
        if not all(isinstance(value, str) for value in labels.values()):
            raise TypeError("a label that is no text")
        points = tuple(Point(time=float(time), value=float(value)) for time, value in series["values"])
        if points:
            yield Sample(labels.pop("__name__"), labels, points)
