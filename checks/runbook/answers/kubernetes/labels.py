"""Label selectors, as the inventory writes them and as Kubernetes objects hold them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from runbook.answers.kubernetes.objects import labels, many, text, texts
from runbook.model.errors import Garbled, Misconfigured


class Requirement(Struct, frozen=True):
    """One condition on a label: In, NotIn, Exists or DoesNotExist, as in Kubernetes' LabelSelector."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def met(self, labels: Mapping[str, str]) -> bool:
        """Whether labels meet it; an operator that Kubernetes does not know is met by nothing."""
        match self.operator:
            case "In":
                return labels.get(self.key) in self.values
            case "NotIn":
                return labels.get(self.key) not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels
        return False


Selector = tuple[Requirement, ...]
"""All must be met; the empty selector selects everything."""


def matches(selector: Selector, labels: Mapping[str, str]) -> bool:
    """Whether labels meet every requirement."""
    return all(requirement.met(labels) for requirement in selector)


def parse_selector(text: str, setting: str) -> Selector:
    """Read the equality form that kubectl takes: `app=kafka,tier!=test,strimzi.io/cluster,!old`.

    Raises:
        Misconfigured: it is written in another way.
    """
    found = []
    for part in text.split(","):
        key, operator, value = part.strip(), "Exists", ""
        for sign, name in (("!=", "NotIn"), ("==", "In"), ("=", "In")):
            if sign in part:
                left, _, right = part.partition(sign)
                key, operator, value = left.strip(), name, right.strip()
                break
        if operator == "Exists" and key.startswith("!"):
            key, operator = key[1:], "DoesNotExist"
        if not key or any(sign in key + value for sign in " =()!"):
            raise Misconfigured(f"{setting} of kubernetes is {text!r}: write labels as app=kafka,tier=prod")
        found.append(Requirement(key, operator, (value,) if operator in {"In", "NotIn"} else ()))
    return tuple(found)


def object_selector(selector: Mapping[str, Any] | None) -> Selector | None:
    """Read a LabelSelector of an object; None stays None, as it selects nothing while an empty one selects all.

    Raises:
        Garbled: it is none.
    """
    if selector is None:
        return None
    if not isinstance(selector, Mapping):
        raise Garbled(f"an object has {str(selector)[:40]!r} as a label selector, which should be object")
    equal = [Requirement(key, "In", (value,)) for key, value in labels(selector, "matchLabels").items()]
    others = [
        Requirement(text(expression, "key"), text(expression, "operator"), tuple(texts(expression, "values")))
        for expression in many(selector, "matchExpressions")
    ]
    return tuple(equal + others)
