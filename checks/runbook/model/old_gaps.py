"""Gaps from before they had kinds, and those of cases, of which people write the sentence only.

This is the one place that reads sentences of gaps. It knows how they were worded up to the release in which gaps got
their kinds, and is not changed when a sentence is: newer gaps bring theirs.
"""

import re
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from runbook.model.fact import Fact, Gap
from runbook.model.gap_kind import GapKind

_KINDS: Final = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"its turn had not come by the deadline|was not asked, as time was up|no time left to read", GapKind.NO_TURN),
        (r"the deadline comes before a second look", GapKind.NO_SECOND_LOOK),
        (r"had not answered", GapKind.DEADLINE),
        (r"the run was interrupted", GapKind.INTERRUPTED),
        (r"the inventory gives no ", GapKind.NOT_CONFIGURED),
        (r"the inventory does not say", GapKind.NOT_DECLARED),
        (r"the bundle (does not hold|holds \S+ only as asked)", GapKind.NOT_KEPT),
        (r"it waits for active: true", GapKind.NOT_ALLOWED),
        (r"has no `\w+:`", GapKind.SETTING_MISSING),
        (r"^a mistake in the ", GapKind.MISTAKE),
        (r"took its process down|worker (ended without|sent something|could not be served)", GapKind.CRASHED),
        (r"does not let us|did not accept (our credentials|any of our keys)|we have (no )?Describe", GapKind.DENIED),
        (r"wants a certificate of ours|shows none of its log directories: it needs", GapKind.DENIED),
        (r"did not answer (in (Kafka's|Jolokia's|the) protocol|in HTTP|as |each question)", GapKind.GARBLED),
        (r"shows another host key|takes (no TLS|TLS only)|, not Kafka's protocol", GapKind.SPEAKS_OTHERWISE),
        (r", for the controller, did not answer|no active controller answered the broker", GapKind.CONTROLLER_SILENT),
        (r"can't be reached over TLS", GapKind.NO_TLS),
        (r"can't be reached: connection refused", GapKind.REFUSED),
        (r"can't be reached: its name does not resolve", GapKind.NO_NAME),
        (r"can't be reached: (no route to host|network is unreachable|there is no route)", GapKind.NO_ROUTE),
        (r"did not (answer|end \S+ in its time|finish its answer)", GapKind.TIMED_OUT),
        (r"can't be reached|no bootstrap server answers", GapKind.UNREACHABLE),
    )
)
"""The first that is found decides."""
_WAITED: Final = re.compile(r"did not answer in ([0-9.]+) s")
_DEADLINE: Final = re.compile(r"give --deadline ([0-9]+)s")
_RIGHT: Final = re.compile(r"(?:it needs|we have no) (\w+ on (?:the |all )?\w+)")
_BEHIND_TLS: Final = re.compile(r"\(([^()\s]+)\) can't be reached over TLS")


def from_sentence(text: str, keys: Mapping[str, str | int] | None = None) -> Gap:
    """The gap that a sentence of before tells of, about the entities of these keys."""
    waited, deadline = _WAITED.search(text), _DEADLINE.search(text)
    right, behind_tls = _RIGHT.search(text), _BEHIND_TLS.search(text)
    return Gap(
        text,
        dict(keys or {}),
        kind=next((kind for pattern, kind in _KINDS if pattern.search(text)), GapKind.INCOMPLETE),
        at=behind_tls[1] if behind_tls else "",
        waited=float(waited[1]) if waited else 0.0,
        deadline=float(deadline[1]) if deadline else 0.0,
        right=right[1] if right else "",
    )


def typed(fact: Fact, connection: str) -> Fact:
    """A fact that was kept before gaps had kinds, with those of its gaps.

    Args:
        fact: as it was kept.
        connection: the kind of connection that was asked.
    """
    return replace(fact, gaps=[_typed(gap, connection) for gap in fact.gaps])


def _typed(gap: Gap, connection: str) -> Gap:
    if gap.kind is not GapKind.INCOMPLETE:
        return gap
    return replace(from_sentence(f"{gap.reason}", gap.keys), connection=connection)
