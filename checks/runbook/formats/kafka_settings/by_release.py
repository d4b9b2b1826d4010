"""What Kafka refuses in a configuration where its release is one of several."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from runbook.formats.kafka_settings import Complaint, Kind, judge, judged, nearest

_ELSEWHERE = "${}"  # a reference: what it stands for is not known


class ByRelease(Struct, frozen=True):
    """What can be said of a configuration.

    Attributes:
        refused: setting -> why it is refused, whichever release it is.
        undecided: setting -> which releases refuse it, and why; others take it.
        unknown: settings whose value is not known.
    """

    refused: dict[str, list[str]]
    undecided: dict[str, str]
    unknown: set[str]


def verdict(kind: Kind, given: Mapping[str, str | None], releases: Sequence[str], *, whole: bool) -> ByRelease:
    """Say what is refused.

    Args:
        kind: of configuration.
        given: settings, as written; None is a value that is not known.
        releases: of `judged`, one of which it is for; not empty.
        whole: whether all that it has is given: only then a setting is missing.
    """
    written = {name: _ELSEWHERE if value is None else value for name, value in given.items()}
    found = {release: judge(kind, release, written, made=not whole) for release in releases}
    by_setting: dict[str, dict[str, list[Complaint]]] = defaultdict(lambda: defaultdict(list))
    for release, one in found.items():
        for mistake in one.mistakes:
            if whole or (not mistake.missing and mistake.setting in given):
                by_setting[mistake.setting][release].append(mistake)
    refused, undecided = {}, {}
    for name, by in by_setting.items():
        says = [mistake.says for mistake in list(by.values())[-1]]
        if len(by) == len(releases):
            refused[name] = says
        else:
            undecided[name] = f"refused by Kafka {_spans(list(by), releases)} alone: {'; '.join(says)}"
    return ByRelease(refused, undecided, {name for one in found.values() for name in one.unknown})


def known(kind: Kind, releases: Sequence[str]) -> list[str]:
    """The releases to judge by: those that tell of the named ones; all, where none is named."""
    near = {one for release in releases for one in nearest(kind, release)}
    return [release for release in judged(kind) if release in near or not releases]


def _spans(some: Sequence[str], releases: Sequence[str]) -> str:
    """In few words, as "3.9.1, 4.1.1 to 4.3.0"."""
    spans: list[list[str]] = []
    for place, release in enumerate(releases):
        if release not in some:
            continue
        if place and releases[place - 1] in some:
            spans[-1].append(release)
        else:
            spans.append([release])
    return ", ".join(span[0] if len(span) == 1 else f"{span[0]} to {span[-1]}" for span in spans)
