"""Blocks as cards a person can read: what is looked at, what is expected or told, what to do."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from runbook.judge.template import show
from runbook.model.applicability import Applicability
from runbook.model.block import (
    Block,
    Cause,
    Check,
    Condition,
    Diagnostic,
    Effect,
    GateEntry,
    PossibleCause,
    Procedure,
    Step,
    whole_name,
)
from runbook.model.consequence import reason_for
from runbook.model.parameter import Parameter
from runbook.model.where_none import WhereNone
from runbook.parse.runbook import LocatedBlock
from runbook.procedure.ends import walk_command
from runbook.publish.observed_facts import FactInput, expectation, looks
from runbook.publish.without_cause import without_cause
from runbook.publish.without_values import without_values
from runbook.safety.sanitize import sanitize

_LEADS_TO: Final = re.compile(r"(procedure|[Ff]ollow|[Gg]o to) `([a-z0-9-]+(?:#[a-z0-9-]+)?)`")


def card(placed: LocatedBlock, where: str, prose: str) -> str:
    """Write a block as Markdown.

    Args:
        placed: the block.
        where: where it stands, for its last line.
        prose: what the runbook says about it.
    """
    block = placed.block
    match block:
        case Check():
            parts = _check(block)
        case Cause():
            parts = _of_facts(block, placed.runbook)
        case Effect():
            parts = _effect(block)
        case Diagnostic():
            parts = _diagnostic(block, placed.name)
        case Procedure():
            parts = [*_procedure(block), f"**Walk it**{_fence(walk_command(placed.name, block))}"]
    head = [f"# {sanitize(block.title)}", f"{code(placed.name)} · {_tags(block)}", prose]
    tail = [_list("Sources", block.sources), f"{kind_of(block).capitalize()} {code(placed.name)}: {where}."]
    return "\n\n".join(filter(None, [*head, *(_with_commands(part, placed.runbook) for part in parts), *tail]))


def _with_commands(text: str, runbook: str) -> str:
    """A text in which a procedure or symptom to go to stands as the command that shows it."""
    return _LEADS_TO.sub(lambda found: f"{found[1]} `runbook show {_place(found[2], runbook)}`", text)


def _place(name: str, runbook: str) -> str:
    return name if "#" in name else f"{runbook}#{name}"


def kind_of(block: Block) -> str:
    """The word for a block's kind."""
    return type(block).__name__.lower()


def code(text: str) -> str:
    """A text as Markdown's code, whatever it holds."""
    mark = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{mark}{space}{text}{space}{mark}"


def _tags(block: Block) -> str:
    if not isinstance(block, Check):
        return kind_of(block)
    about = {"link": "about a link between two environments", "fleet": "about all environments together"}
    gates = "for gates of procedures and --only" if block.gate else ""
    goals = ", ".join(block.objectives) or "every objective"
    words = (kind_of(block), block.severity, goals, about.get(block.over), gates)
    return " · ".join(filter(None, words))


def _check(check: Check) -> list[str]:
    return [
        _list("Looks at", map(_look, looks(check))),
        "**Expects**\n\n" + expectation(check.expect) + _fence(check.expect.that or ""),
        _named("If not", check.effect),
        _named(check.severity.capitalize(), reason_for(check.consequence)),
        _applies(check.applies),
        _where_none(check.where_none),
        _conflict(check),
        _named(
            "Only where",
            "; ".join(f"{label} is {' or '.join(to).replace('!', 'not ')}" for label, to in check.labels.items()),
        ),
        _list("Parameters", (_parameter(name, parameter) for name, parameter in check.params.items())),
        _section("What to do", check.remedy),
        _audit(check.audit),
    ]


def _audit(text: str) -> str:
    return f"**See it with the vendor's tool**{_fence(text)}" if text else ""


def _look(look: FactInput) -> str:
    asked = f", {look.asked}" if look.asked else ""
    details = f" ({'; '.join(look.details)})" if look.details else ""
    needs = f"; needs {', '.join(look.rights)}" if look.rights else ""
    return f"{code(look.name)}: {look.help} {code(look.source)}{details}{asked}{needs}"


def _applies(applies: Applicability | None) -> str:
    if applies is None:
        return ""
    when = f"when {code(applies.that)} holds for each row of {applies.each}"
    return f"**Applies** {when}; otherwise: {applies.otherwise}"


def _where_none(means: WhereNone | None) -> str:
    if means is None:
        return ""
    return f"**Where there is none** it {'fails' if means.outcome == 'fail' else 'does not apply'}: {means.message}"


def _conflict(check: Check) -> str:
    if not check.against:
        return ""
    own = " or ".join(check.objectives) or "its own objective"
    return f"**Contradicts** advice for {' and '.join(check.against)}; it applies where {own} ranks higher"


def _parameter(name: str, parameter: Parameter) -> str:
    bounds = [
        f"{word} {limit}"
        for word, limit in (("at least", parameter.min), ("at most", parameter.max))
        if limit is not None
    ]
    typed = ", ".join([parameter.type, *bounds])
    said = f": {parameter.help}" if parameter.help else ""
    origin = f" (source of the default: {parameter.source})" if parameter.source else ""
    return f"{code(f'{name} = {show(parameter.default)}')} ({typed}){said}{origin}"


def _diagnostic(block: Diagnostic, name: str) -> list[str]:
    shown = [code(text) for text in (*block.alerts, *block.errors)]
    return [
        _section("Symptom", block.symptom),
        _audit(block.audit),
        _deciding(block, name),
        *(_cause(number, cause) for number, cause in enumerate(block.causes, 1)),
        _named("Shows itself as", ", ".join(shown)),
    ]


def _of_facts(block: Cause, runbook: str) -> list[str]:
    steps = f"runbook show {whole_name(block.procedure, runbook).replace('/', '#', 1)}"
    procedure = f" Step by step: {code(steps)}." if block.procedure else ""
    return [
        _section("It says", without_values(block.says)),
        _list("Evidence", map(without_values, block.proof)),
        _named("First", f"{without_values(block.first.strip())}{procedure}"),
        _named("Do not", without_values(block.avoid)),
        _named("It is over when these pass", ", ".join(map(code, block.verify))),
        _list("Looks at", map(_look, looks(block))),
        "**Holds** " + _condition(block.holds) + _fence(block.holds.that),
        _list("Checks are judged again over facts without it", without_cause(block)),
        _list("Parameters", (_parameter(name, parameter) for name, parameter in block.params.items())),
    ]


def _condition(holds: Condition) -> str:
    rows = f"for rows of {code(holds.each)}" + (f" where {code(holds.where)}" if holds.where else "")
    joined = f", with {', '.join(map(code, holds.join))} beside them" if holds.join else ""
    return f"{rows}{joined}" + (
        f", one finding for each {' and '.join(holds.by)}" if holds.by else ", all in one finding"
    )


def _effect(block: Effect) -> list[str]:
    statements = (
        f"{statement.label}: {without_values(statement.says)} (each row of {code(statement.each)})"
        for statement in block.tells
    )
    return [_list("Looks at", map(_look, looks(block))), _list("Supports a cause", statements)]


def _deciding(block: Diagnostic, name: str) -> str:
    """How the causes of a symptom are told apart: said once, for all of them."""
    if not block.checks:
        return ""
    asked = code(f"runbook check {name.replace('/', '#', 1)}")
    if not any(cause.holds for cause in block.causes):
        return f"{asked} judges these checks; you decide."
    return f"{asked} names a cause that is marked *tool*. Of the others it judges the checks; you decide."


def _cause(number: int, cause: PossibleCause) -> str:
    checks = ", ".join(map(code, cause.checks))
    way = f"*tool* {code(cause.holds)}" if cause.holds else "*you*"
    way += f" · {checks}" if checks else ""
    lines = [f"**Possible cause {number}: {cause.cause}**", way]
    lines += [_named("Look", cause.look), _named("What to do", cause.remedy), _named("Risk", cause.risk)]
    return "\n\n".join(filter(None, lines))


def _procedure(block: Procedure) -> list[str]:
    return [
        _section("Risk", block.risk),
        _named("A drill of it proves something only if the tool itself sees this lost:", block.loses or ""),
        _gate("Before you begin, these pass", block.before),
        "\n\n".join(_step(number, step) for number, step in enumerate(block.steps, 1)),
        _gate("Afterwards, these pass", block.after),
        _section("To undo", block.undo),
    ]


def _step(number: int, step: Step) -> str:
    parts = [
        step.do.strip(),
        _fence(step.command).lstrip("\n"),
        "**With this step producers move to the target.**" if step.switch else "",
        _named("Why", step.why),
        _named("Risk", step.risk),
        _named("Effort", step.effort),
        _gate("It worked if these pass", step.verify),
        _named("Stop and go back if", step.stop),
    ]
    lead = f"{number}. "
    lines = "\n\n".join(filter(None, parts)).splitlines()
    return lead + "\n".join([lines[0], *((" " * len(lead) + line) if line else "" for line in lines[1:])])


def _gate(label: str, checks: Sequence[GateEntry]) -> str:
    return _named(label, ", ".join(code(str(check)) for check in checks))


def _named(label: str, text: str) -> str:
    return f"**{label}** {text.strip()}" if text.strip() else ""


def _section(label: str, text: str) -> str:
    return f"**{label}**\n\n{text.strip()}" if text.strip() else ""


def _list(label: str, items: Iterable[str]) -> str:
    lines = [f"- {item}" for item in items]
    return f"**{label}**\n\n" + "\n".join(lines) if lines else ""


def _fence(text: str) -> str:
    """A fenced code block on lines of its own; nothing for no text."""
    lines = "\n".join(f"    {line}" for line in text.strip().splitlines())
    return f"\n\n{lines}" if lines else ""
