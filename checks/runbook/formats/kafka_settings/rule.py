"""A condition between settings that one of Kafka's constructors checks."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from runbook.formats.kafka_settings.facts import Kind


class Rule(Struct, frozen=True, kw_only=True):
    """A condition that a constructor checks.

    Attributes:
        kinds: of configurations that have it.
        settings: whose values it is of, in the order in which `holds` takes them; the first is to blame.
        holds: whether the values fit together; None is the value of a setting that has none.
        says: Kafka's words where they do not; {0} is the first value.
        source: class and method.
        since, until: the first release, and the last; "" for every one that is known.
        given: settings of which one at least must be in the file for the rule to count; empty: it always does.
    """

    kinds: Sequence[Kind]
    settings: Sequence[str]
    holds: Callable[..., bool]
    says: str
    source: str
    since: str = ""
    until: str = ""
    given: Sequence[str] = ()
