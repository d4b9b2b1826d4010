"""What Kafka refuses in a configuration: of brokers, topics, clients and Connect workers, by release.

The data is Kafka's own (`facts`), so are the words where they can be had. A value that stands elsewhere, as `${file:…}`
or in a variable, is unknown, and so is what depends on it. Whether a class can be loaded is not judged.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from runbook.formats import broker_start
from runbook.formats.kafka_settings import quorum
from runbook.formats.kafka_settings.facts import DefinedSetting, Kind, releases, settings
from runbook.formats.kafka_settings.made_rules import MADE_RULES
from runbook.formats.kafka_settings.rules import RULES, broken
from runbook.formats.kafka_settings.values import UNKNOWN, NotTakenError, default, read
from runbook.formats.release_numbers import numbers

__all__ = ["Complaint", "Kind", "WhatKafkaSays", "judge", "judged", "nearest"]


_SINCE = {"broker": "3.4.1"}  # KRaft before it is another, and no release that is maintained
_CLIENTS_SINCE = "3.0.2"
_RELEASE = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}")


def judged(kind: Kind) -> list[str]:
    """The releases that can be judged by, oldest first: with these the real constructors were compared."""
    since = numbers(_SINCE.get(kind, _CLIENTS_SINCE))
    return [release for release in releases() if numbers(release) >= since]


class Complaint(Struct, frozen=True):
    """What Kafka refuses.

    Attributes:
        setting: the name to blame; "" if it is about listeners as a whole.
        says: why, in Kafka's words where they can be had.
        missing: whether the setting is required and not there; a client may get it from its code.
    """

    setting: str
    says: str
    missing: bool = False


class WhatKafkaSays(Struct, frozen=True):
    """What can be said of a configuration: Kafka's reasons to refuse it, and settings whose value is not known."""

    mistakes: list[Complaint]
    unknown: list[str]


def nearest(kind: Kind, release: str) -> list[str]:
    """The releases that tell of one: itself or another of its minor release, else the two beside it.

    None if it is newer than all, or no release.
    """
    if not _RELEASE.fullmatch(release):
        return []
    known, at = judged(kind), numbers(release)
    if same := [one for one in known if numbers(one)[:2] == at[:2]]:
        return same
    below, above = ([one for one in known if (numbers(one) < at) is way] for way in (True, False))
    return [below[-1], above[0]] if below and above else []


def judge(kind: Kind, release: str, given: Mapping[str, str], *, made: bool = False) -> WhatKafkaSays:
    """Say what a release of Kafka would refuse.

    Args:
        kind: of configuration.
        release: one of `judged`.
        given: settings as written in a file; those that the release does not define are left aside, as Kafka does.
        made: whether a client is made of them, which refuses more than its class of settings.
    """
    given = _with_synonyms(given) if kind == "broker" else given
    defined = settings(kind, release)
    mistakes: list[Complaint] = []
    values = dict(_defaults(kind, release))
    for name in given.keys() & defined.keys():
        try:
            values[name] = read(name, defined[name], given[name])
        except NotTakenError as error:
            mistakes.append(Complaint(name, str(error)))
            values[name] = UNKNOWN
    for name in _required(kind, release) - given.keys():
        said = f'Missing required configuration "{name}" which has no default value.'
        mistakes.append(Complaint(name, said, missing=True))
        values[name] = UNKNOWN
    mistakes.sort(key=lambda mistake: mistake.setting)
    rules = (*RULES, *MADE_RULES) if made else RULES
    mistakes += [Complaint(rule.settings[0], says) for rule, says in broken(kind, release, values, list(given), rules)]
    if kind == "broker":
        mistakes += _of_broker(given, values)
    blamed = {mistake.setting for mistake in mistakes}
    open_ = {name for name in given if values.get(name) is UNKNOWN and _may_be_refused(defined[name])}
    return WhatKafkaSays(mistakes, sorted(open_ - blamed))


def _may_be_refused(setting: DefinedSetting) -> bool:
    """Whether some texts are no value of it, beside the empty one."""
    validator = setting.validator or {"is": ""}
    free = validator["is"] in ("", "NonNullValidator", "NonEmptyString") or validator.get("validString") == []
    return not free or setting.type not in ("STRING", "LIST", "PASSWORD", "CLASS")


@cache
def _defaults(kind: Kind, release: str) -> Mapping[str, Any]:
    return {name: default(setting) for name, setting in settings(kind, release).items()}


@cache
def _required(kind: Kind, release: str) -> frozenset[str]:
    return frozenset(name for name, setting in settings(kind, release).items() if setting.required)


def _of_broker(given: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[Complaint]:
    yield from (Complaint(*found) for found in quorum.refusals(values))
    if not broker_start.unreadable(given):
        yield from (Complaint("", said) for said in broker_start.refusals(given))


def _with_synonyms(given: Mapping[str, str]) -> Mapping[str, str]:
    """`node.id` and `broker.id` stand for each other (AbstractKafkaConfig.populateSynonyms)."""
    if "broker.id" in given and "node.id" not in given:
        return {**given, "node.id": given["broker.id"]}
    if "node.id" in given and "broker.id" not in given:
        return {**given, "broker.id": given["node.id"]}
    return given
