"""What Kafka asks of several settings together: the conditions in the constructors of its configurations, as data.

Each rule names the method that has it. It counts where a release defines all its settings, from and until the releases
that it names. `tests/formats/kafka_settings` compares all of it with what the real constructors say.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from runbook.formats.kafka_settings.broker_rules import BROKER_RULES
from runbook.formats.kafka_settings.client_rules import CLIENT_RULES
from runbook.formats.kafka_settings.facts import Kind, Rule
from runbook.formats.kafka_settings.values import UNKNOWN
from runbook.formats.release_numbers import numbers

RULES: Final[Sequence[Rule]] = (*BROKER_RULES, *CLIENT_RULES)


def broken(
    kind: Kind, release: str, values: Mapping[str, Any], given: Sequence[str], rules: Sequence[Rule] = RULES
) -> Iterator[tuple[Rule, str]]:
    """The rules that values break, each with Kafka's words; one of a value that is not known is left out.

    Args:
        kind: of configuration.
        release: of Kafka.
        values: of every setting that the release defines.
        given: the settings that the file has.
        rules: which; those of the classes of settings, if not said.
    """
    at = numbers(release)
    for rule in rules:
        if kind not in rule.kinds or any(name not in values for name in rule.settings):
            continue
        if (rule.since and at < numbers(rule.since)) or (rule.until and at > numbers(rule.until)):
            continue
        if rule.given and not any(name in given for name in rule.given):
            continue
        of = [values[name] for name in rule.settings]
        if any(value is UNKNOWN for value in of) or rule.holds(*of):
            continue
        shown = [",".join(value) if isinstance(value, list) else value for value in of]
        yield rule, rule.says.format(*shown) if "{0}" in rule.says else rule.says
