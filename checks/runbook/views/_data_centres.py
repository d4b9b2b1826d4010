"""In which data centre a broker stands: what its rack says, read by a list that a person has written."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from runbook.model.errors import Misconfigured
from runbook.model.fact import Fact, Gap
from runbook.model.parameter import Parameter

SITES = Parameter(
    type="list[string]",
    help="which racks are in which data centre, as in [dub-*=dublin, fra-*=frankfurt]; the first that matches holds, "
    "and a rack that none matches is a data centre of its own",
)
CONTROLLERS = Parameter(
    type="list[string]",
    help="where controllers stand that are no brokers, as in [101=dublin, 103=vienna]: Kafka knows racks of "
    "brokers only",
)


def reader(sites: Sequence[str]) -> Callable[[str | None], str | None]:
    """A function from a rack to its data centre; None for one that is not known.

    Raises:
        Misconfigured: an entry is not written PATTERN=DATA CENTRE.
    """
    pairs = [_pair(entry, "sites", "dub-*=dublin") for entry in sites]

    def centre(rack: str | None) -> str | None:
        if rack is None:
            return None
        found = next((name for pattern, name in pairs if fnmatchcase(rack, pattern)), rack)
        return found or None  # a broker without a rack stands somewhere nobody has said

    return centre


def placed(controllers: Sequence[str]) -> dict[int, str]:
    """The data centres of controllers that are nodes of their own.

    Raises:
        Misconfigured: an entry is not written NODE=DATA CENTRE.
    """
    pairs = [_pair(entry, "controllers", "101=dublin") for entry in controllers]
    for node, _ in pairs:
        if not node.isdecimal():
            raise Misconfigured(f"controllers: {node} is no node id; write 101=dublin")
    return {int(node): name for node, name in pairs}


def moved(broker: Fact, sites: Sequence[str]) -> Fact:
    """The brokers with their data centre in place of their rack; None where it is not known."""
    centre = reader(sites)
    return Fact(broker.source, broker.columns | {"rack": [centre(rack) for rack in broker.columns["rack"]]})


def placeless(broker: Fact) -> list[Gap]:
    """A gap for each broker (with its data centre in place of its rack) of which nobody knows where it stands."""
    pairs = zip(broker.columns["broker"], broker.columns["rack"], strict=True)
    return [
        Gap(f"where broker {node} stands is not known: it names no rack, or is not registered", {"broker": node})
        for node, centre in pairs
        if centre is None
    ]


def _pair(entry: str, parameter: str, sample: str) -> tuple[str, str]:
    pattern, equals, name = entry.partition("=")
    if not equals or not name.strip():
        raise Misconfigured(f"{parameter}: {entry!r} names no data centre; write {sample}")
    return pattern.strip(), name.strip()
