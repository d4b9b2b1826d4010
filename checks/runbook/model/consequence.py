"""What follows when a check fails: the questions of docs/reference/severity.md, from which each severity is derived."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

from msgspec import Struct

Severity = Literal["info", "low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = ("info", "low", "medium", "high", "critical")

Consequence = Literal[
    "outage",
    "data-loss",
    "next-routine",
    "open-door",
    "step-unsafe",
    "part-down",
    "records-mishandled",
    "next-failure",
    "site-loss",
    "limit-near",
    "comes-again",
    "too-much-access",
    "degraded",
    "thin-margin",
    "latent",
    "unseen",
    "one-defence-less",
    "unproven",
    "not-as-decided",
    "change-blocked",
    "unsupported",
    "step-undone",
    "longer-incident",
    "harder-change",
    "extra-work",
    "good-practice",
    "for-decisions",
]


class SeverityReason(Struct, frozen=True):
    """A question of which the answer is yes, and what that makes of a failure.

    Attributes:
        severity: how bad it is.
        question: what is asked of the failing check.
        because: the same as a statement: the reason for the severity.
        acute: whether it is so now; else it is a standing condition, which has been so for long or may be meant.
        forecast: whether it comes within days: while that is not known, nothing is wrong at this hour.
        access: whether it is what somebody may do: no client feels it.
    """

    severity: Severity
    question: str
    because: str
    acute: bool = False
    forecast: bool = False
    access: bool = False


CONSEQUENCES: Mapping[Consequence, SeverityReason] = {
    "outage": SeverityReason(
        "critical",
        "Are clients refused, or can no leader be elected, now?",
        "clients are refused, or no leader can be elected, now",
        acute=True,
    ),
    "data-loss": SeverityReason(
        "critical",
        "Are acknowledged records being lost now?",
        "acknowledged records are being lost now",
        acute=True,
    ),
    "next-routine": SeverityReason(
        "critical",
        "Does the next restart, reboot or clean-up destroy data, though nothing fails?",
        "the next restart, reboot or clean-up destroys data, though nothing fails",
    ),
    "open-door": SeverityReason(
        "critical",
        "May anybody who reaches a port read or change data without a login?",
        "anybody who reaches a port may read or change data without a login",
        access=True,
    ),
    "step-unsafe": SeverityReason(
        "critical",
        "Of a gate: does going on with the procedure lose records, stop clients or open a door?",
        "going on with the procedure loses records, stops clients or opens a door",
    ),
    "part-down": SeverityReason(
        "high",
        "Has one part stopped, such as a broker, a voter, a consumer group or a connector, while the rest goes on?",
        "one part has stopped, while the rest goes on",
        acute=True,
    ),
    "records-mishandled": SeverityReason(
        "high",
        "Are records skipped, repeated, dropped or misread by one application or flow?",
        "an application or flow skips, repeats, drops or misreads records",
        acute=True,
    ),
    "next-failure": SeverityReason(
        "high",
        "Does the next single failure, of a broker, disk, node or record, stop clients or lose records?",
        "the next single failure of a broker, disk, node or record stops clients or loses records",
    ),
    "site-loss": SeverityReason(
        "high",
        "Does the loss of a rack, zone or data center stop clients or lose records, or a failover not work?",
        "the loss of a rack, zone or data center stops clients or loses records",
    ),
    "limit-near": SeverityReason(
        "high",
        "Is a limit reached within days, such as disk space, file descriptors, retention or an expiry date?",
        "a limit is reached within days",
        acute=True,
        forecast=True,
    ),
    "comes-again": SeverityReason(
        "high",
        "Did it stop a broker or clients lately, and nothing keeps it from doing so again?",
        "it stopped a broker or clients lately, and will again",
        acute=True,
    ),
    "too-much-access": SeverityReason(
        "high",
        "May anyone with any login, or on the network path, read or change what is not theirs?",
        "anyone with any login, or on the network path, may read or change what is not theirs",
        access=True,
    ),
    "degraded": SeverityReason(
        "medium",
        "Does it work, but slowly or with a growing backlog?",
        "it works, but slowly or with a backlog",
        acute=True,
    ),
    "thin-margin": SeverityReason(
        "medium",
        "Do two failures at once, or a higher peak, do what is critical or high above?",
        "two failures at once, or a higher peak, stop clients or lose records",
    ),
    "latent": SeverityReason(
        "medium",
        "Does a setting turn a later fault, mistake or burst into one of the above?",
        "a setting turns a later fault, mistake or burst into an outage or a loss",
    ),
    "unseen": SeverityReason(
        "medium",
        "Would a fault go unnoticed?",
        "a fault would go unnoticed",
    ),
    "one-defence-less": SeverityReason(
        "medium",
        "Does an intruder who is past one barrier find the next one missing?",
        "an intruder who is past one barrier finds the next one missing",
        access=True,
    ),
    "unproven": SeverityReason(
        "medium",
        "Was it not shown lately that a promised recovery works?",
        "nobody has shown lately that the promised recovery works",
    ),
    "not-as-decided": SeverityReason(
        "medium",
        "Is something other than decided or declared, or was it never decided?",
        "it is not as decided or declared, or it was never decided",
    ),
    "change-blocked": SeverityReason(
        "medium",
        "Is maintenance, a deployment or a declared change not carried out?",
        "maintenance or a declared change is not carried out",
    ),
    "unsupported": SeverityReason(
        "medium",
        "Do no more fixes come for what is in use?",
        "no more fixes come for what is in use",
    ),
    "step-undone": SeverityReason(
        "medium",
        "Of a gate: has the step not had its effect yet, so that going on is in vain?",
        "the step has not had its effect yet",
    ),
    "longer-incident": SeverityReason(
        "low",
        "Does the next incident take longer to see through or to recover from?",
        "the next incident takes longer to see through or to recover from",
    ),
    "harder-change": SeverityReason(
        "low",
        "Is the next change harder or riskier than it need be?",
        "the next change is harder or riskier than it need be",
    ),
    "extra-work": SeverityReason(
        "low",
        "Does the platform do more work than it needs to, which no client feels?",
        "the platform does more work than it needs to",
    ),
    "good-practice": SeverityReason(
        "low",
        "Is it good practice, whose absence is not felt today?",
        "it is good practice, and nobody feels its absence today",
    ),
    "for-decisions": SeverityReason(
        "info",
        "Is it worth knowing only when something else is decided?",
        "it is worth knowing when something else is decided",
    ),
}
"""Consequence → what it means, the gravest first: of several that apply, the first one counts."""

assert tuple(CONSEQUENCES) == get_args(Consequence)


_BY_WORD: Mapping[str, SeverityReason] = {str(word): answer for word, answer in CONSEQUENCES.items()}


def with_severity(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a check with the severity that its consequence has; one that was written plainly counts alone."""
    if "severity" in fields:
        return {name: value for name, value in fields.items() if name != "consequence"}
    if not (word := fields.get("consequence")):
        return {**fields}
    answer = _BY_WORD.get(str(word))
    return {**fields, "severity": answer.severity if answer else SEVERITIES[0]}  # what is no word is refused as such


def reason_for(consequence: str) -> str:
    """Why a failure with this consequence has its severity; empty where a severity was written plainly."""
    answer = _BY_WORD.get(consequence)
    return answer.because if answer else ""


def is_standing(consequence: str) -> bool:
    """Whether a failure is a standing condition; one of which nobody said so may be acute."""
    answer = _BY_WORD.get(consequence)
    return answer is not None and not answer.acute


def is_forecast(consequence: str) -> bool:
    """Whether a failure is of what comes within days."""
    answer = _BY_WORD.get(consequence)
    return answer is not None and answer.forecast


def gives_access(consequence: str) -> bool:
    """Whether a failure lets somebody do too much, which no client feels."""
    answer = _BY_WORD.get(consequence)
    return answer is not None and answer.access
