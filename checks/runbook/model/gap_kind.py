"""What kinds of gaps there are: what code decides by, where people read the sentence."""

from enum import StrEnum
from typing import Final


class GapKind(StrEnum):
    """Why something was not seen."""

    INCOMPLETE = "incomplete"  # a probe or view lacks a part: told in no closer way
    # No answer of the system came.
    UNREACHABLE = "unreachable"
    REFUSED = "refused"  # its host answers, and nothing listens at that port
    CLOSED = "closed"  # it accepted our connection, and closed it without an answer
    NO_NAME = "no such name"
    NO_ROUTE = "no route"
    NO_TLS = "no TLS"
    TIMED_OUT = "timed out"
    CONTROLLER_SILENT = "controller silent"  # a broker answered that no active controller did, or waited for one
    DEADLINE = "deadline"  # it had not answered as the run ended
    # It answered.
    SPEAKS_OTHERWISE = "speaks otherwise"  # what answers there does not speak as our settings do
    NOT_SERVING = "not serving"  # it can't answer this now: it loads, or has no leader
    DENIED = "denied"
    GARBLED = "garbled"
    UNSUPPORTED = "unsupported"  # by its release
    NOT_THERE = "not there"  # a file, a topic, a resource
    # It was not asked, or not by us.
    MISCONFIGURED = "misconfigured"
    SETTING_MISSING = "setting missing"  # the connection is given, and lacks a line that this question needs
    NOT_CONFIGURED = "not configured"  # the inventory gives no connection, nor says that there is none
    UNOBSERVED = "unobserved"  # the inventory says that nobody looks there for now: why, by whom and until when
    NOT_DECLARED = "not declared"  # the inventory does not say where what is asked about is
    NOT_ALLOWED = "not allowed"  # by the inventory
    NO_TURN = "no turn"  # its turn had not come by the deadline
    NO_SECOND_LOOK = "no second look"  # the deadline comes before it
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"  # the process that asked died
    MISTAKE = "mistake"  # in code of ours, or of a plugin
    NOT_KEPT = "not kept"  # the bundle does not hold it


NO_ANSWER: Final = frozenset(
    {
        GapKind.UNREACHABLE,
        GapKind.REFUSED,
        GapKind.CLOSED,
        GapKind.NO_NAME,
        GapKind.NO_ROUTE,
        GapKind.NO_TLS,
        GapKind.TIMED_OUT,
        GapKind.CONTROLLER_SILENT,
        GapKind.DEADLINE,
    }
)
"""Nothing answered."""

OF_THE_RUN: Final = frozenset(
    {
        GapKind.DEADLINE,
        GapKind.MISCONFIGURED,
        GapKind.SETTING_MISSING,
        GapKind.NOT_CONFIGURED,
        GapKind.UNOBSERVED,
        GapKind.NOT_DECLARED,
        GapKind.NOT_ALLOWED,
        GapKind.NO_TURN,
        GapKind.NO_SECOND_LOOK,
        GapKind.INTERRUPTED,
        GapKind.CRASHED,
        GapKind.MISTAKE,
        GapKind.NOT_KEPT,
    }
)
"""What the run, its inventory or its code came to: it says nothing of the system."""


NOT_ASKED: Final = frozenset({GapKind.NO_TURN, GapKind.NO_SECOND_LOOK, GapKind.INTERRUPTED, GapKind.CRASHED})
"""The question was not put to its end by us: nothing was refused."""
