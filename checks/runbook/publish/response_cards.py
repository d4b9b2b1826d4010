"""What to do about a place that an alert or an error leads to: a card with causes in their order, steps and commands.

A card is complete without a script. Where its page runs one (docs/scripts/respond.js), the last verdicts of the
reader's environment stand beside the causes, and the environment's name in the commands.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from runbook.model.block import Cause, Check, Diagnostic, Effect, PossibleCause, Procedure, whole_name
from runbook.parse.runbook import LocatedBlock
from runbook.procedure.ends import walk_command
from runbook.publish import prose
from runbook.publish.page import fragment
from runbook.publish.site_paths import block_page
from runbook.publish.without_values import without_values

_NAMED: Final = re.compile(r"`((?:[\w-]+[#/])?[\w-]+)`")


class Response(Struct, frozen=True):
    """What to do if a cause is the one.

    Attributes:
        title: the cause.
        href: the page that says more, seen from the root of the site.
        command: to copy: it walks the procedure, or asks the checks; empty where there is neither.
        holds: its block, as RUNBOOK/ID; empty where only a person can tell.
        checks: those that fail if it is the one, as RUNBOOK/ID.
        look: how a person tells.
        first: what to do first.
        avoid: what not to do.
        risk: what the act may cost.
        procedure: the procedure that carries it out.
    """

    title: str
    href: str
    command: str
    holds: str = ""
    checks: Sequence[str] = ()
    look: Markup = Markup()
    first: Markup = Markup()
    avoid: Markup = Markup()
    risk: Markup = Markup()
    procedure: LocatedBlock | None = None


def response_card(placed: LocatedBlock, blocks: Mapping[str, LocatedBlock], root: str = "") -> Markup:
    """The card of a place; empty for an effect, about which there is nothing to do.

    Args:
        placed: the symptom, cause, check or procedure.
        blocks: every block of all published runbooks, by its global name.
        root: the way from the page to the root of the site.
    """
    block, up = placed.block, f"{root}runbooks/"
    if isinstance(block, Effect):
        return Markup()
    symptom = block.symptom if isinstance(block, Diagnostic) else ""
    return fragment(
        "respond.html",
        placed=placed,
        says=prose.html(symptom, up, f"{placed.runbook}.html"),
        ask=_check([placed.name]) if symptom else "",
        audit=block.audit if isinstance(block, Diagnostic) else "",
        causes=list(_Responses(blocks, up).of(placed)),
        page=block_page,
        root=root,
    )


class _Responses(Struct, frozen=True):
    """Makes the responses to a place, with links for a page from which `up` leads to the pages of runbooks."""

    blocks: Mapping[str, LocatedBlock]
    up: str

    def of(self, placed: LocatedBlock) -> Iterator[Response]:
        """Those to a place: of a symptom one for each possible cause, in their order."""
        match placed.block:
            case Diagnostic() as symptom:
                for number, cause in enumerate(symptom.causes, 1):
                    yield self._possible(placed, cause, f"{block_page(placed.name)}#{symptom.id}-{number}")
            case Cause() as cause:
                yield self._held(placed, cause)
            case Check(title=title, remedy=remedy):
                remedied = PossibleCause(cause=title, checks=[placed.block.id], remedy=remedy)
                yield self._possible(placed, remedied, block_page(placed.name))
            case Procedure(title=title):
                yield Response(title, href=block_page(placed.name), command=_command(placed, ()))

    def _possible(self, placed: LocatedBlock, cause: PossibleCause, href: str) -> Response:
        """What to do if a possible cause of a symptom is the one: what it says, or the cause's block that it names."""
        checks = [whole_name(check, placed.runbook) for check in cause.checks]
        first, procedure = self._html(cause.remedy, placed), self._procedure(cause.remedy, placed.runbook)
        look, risk = self._html(cause.look, placed), self._html(f"Risk: {cause.risk}" if cause.risk else "", placed)
        held = self.blocks.get(whole_name(cause.holds, placed.runbook)) if cause.holds else None
        if held and isinstance(held.block, Cause):
            said = self._held(held, held.block, checks, procedure)
            return replace(said, title=cause.cause, look=look, first=first or said.first, risk=risk)
        command = _command(procedure, checks)
        return Response(cause.cause, href, command, "", checks, look, first, risk=risk, procedure=procedure)

    def _held(
        self, placed: LocatedBlock, cause: Cause, checks: Sequence[str] = (), procedure: LocatedBlock | None = None
    ) -> Response:
        """What to do about a cause; `checks` and `procedure` are those of the symptom that names it."""
        if cause.procedure:
            procedure = self.blocks.get(whole_name(cause.procedure, placed.runbook))
        checks = checks or [whole_name(check, placed.runbook) for check in cause.verify]
        first = self._html(without_values(cause.first), placed)
        avoid = self._html(f"Do not {without_values(cause.avoid)}" if cause.avoid else "", placed)
        href, command = block_page(placed.name), _command(procedure, checks)
        return Response(cause.title, href, command, placed.name, checks, Markup(), first, avoid, procedure=procedure)

    def _html(self, text: str, placed: LocatedBlock) -> Markup:
        return prose.html(text, self.up, f"{placed.runbook}.html")

    def _procedure(self, text: str, runbook: str) -> LocatedBlock | None:
        """The first procedure that a text names."""
        for name in _NAMED.findall(text):
            found = self.blocks.get(whole_name(name.replace("#", "/"), runbook))
            if found and isinstance(found.block, Procedure):
                return found
        return None


def _command(procedure: LocatedBlock | None, checks: Sequence[str]) -> str:
    """What walks a procedure; without one, what asks the checks that tell."""
    if procedure and isinstance(procedure.block, Procedure):
        return walk_command(procedure.name, procedure.block)
    return _check(checks) if checks else ""


def _check(names: Sequence[str]) -> str:
    return f"runbook check {' '.join(name.replace('/', '#') for name in names)} --env ENVIRONMENT"
