"""The blocks a runbook may hold, as records. The published JSON Schema is generated from these."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from runbook.model import consequence as consequences
from runbook.model.applicability import Applicability
from runbook.model.field_types import Duration, Expression, Id, Name, OldName, Sentence, Site
from runbook.model.parameter import Parameter
from runbook.model.undone import Undone
from runbook.model.where_none import WhereNone

Severity = consequences.Severity
SEVERITIES = consequences.SEVERITIES
Objective = Literal["availability", "durability", "throughput", "latency"]
OBJECTIVES: tuple[Objective, ...] = ("availability", "durability", "throughput", "latency")

Loss = Literal["broker", "rack", "source"]
"""What a drill takes away: a broker, a rack with all of its brokers, or the environment that is left."""


class FactRequest(Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """What to observe: a probe, and what it is to be asked.

    Attributes:
        probe: its name.
        with_: parameters of the probe; a value `params.x` stands for that parameter of the block.
        at: of a check over a link: which of its two environments is asked.
        window: how far the probe looks back, where it reads what was.
        looks: the probe looks twice, so far apart; judged with `window` of the expectation.
    """

    probe: Name
    with_: dict[str, Any] = {}
    at: Literal["source", "target"] | None = None
    window: Annotated[Duration, Meta(description="how far the probe looks back")] | None = None
    looks: Annotated[Duration, Meta(description="look twice, so far apart; judged with expect.window")] | None = None


class ViewRequest(Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """A fact computed from others.

    Attributes:
        view: its name.
        of: each input of the view -> the fact that it takes, by the name it has here.
        with_: parameters of the view; a value `params.x` stands for that parameter of the block.
    """

    view: Name
    of: Annotated[dict[Name, Name], Meta(min_length=1)]
    with_: dict[str, Any] = {}


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true of a fact. Exactly one of each, all, same and window names the fact it is about.

    Attributes:
        each: judged row by row, with the row's columns as `fact.column`.
        all: judged once, over whole columns: `fact.column` is the list of its cells.
        same: rows that agree in the columns `by` must agree in the columns `value`.
        window: judged row by row over two looks: `before.column` and `after.column`.
        where: only rows for which this is true are judged.
        join: fact to join to each row -> the entity, or {column: column}, on which to join.
        that: the expression, in CEL, that must be true.
        by: of `same`: the columns that form a group.
        value: of `same`: the columns that must be equal within a group.
        touches: columns, besides the keys, that name what an offending row is about (its brokers out of sync).
        scope: columns that say what of a row was not looked at by design: a pass names it, as `true of 3 brokers; …`.
        message: what to say of an offending row; `{expression}` is replaced by its value.
    """

    each: Name | None = None
    all: Name | None = None
    same: Name | None = None
    window: Name | None = None
    where: Expression | None = None
    join: dict[Name, str | dict[str, str]] = {}
    that: Expression | None = None
    by: list[Name] = []
    value: list[Name] = []
    touches: list[Name] = []
    scope: list[Name] = []
    message: str = ""


class Renamable(Struct, frozen=True, kw_only=True):
    """A block whose id may change: names of before go on meaning it.

    Attributes:
        was: those names, the oldest first: ids, or RUNBOOK/ID where it stood in another runbook.
    """

    was: Annotated[list[OldName], Meta(description="ids it had before, the oldest first; RUNBOOK/ID of elsewhere")] = []


class Check(Renamable, frozen=True, forbid_unknown_fields=True):
    """A `{.check}` block: what to observe and what to expect of it.

    Attributes:
        id: unique in its runbook; the global name is RUNBOOK/ID.
        title: states the compliant condition.
        severity: how bad it is when it is not so; it follows from `consequence`, or is written in its place.
        facts: a name for expressions -> the probe that observes it.
        expect: what must be true.
        consequence: what follows when it fails, in a word of docs/reference/severity.md; the severity follows from it.
        effect: what is wrong when it fails, in the words of the effect; `{failed}` and `{judged}` are counts,
            `{params.NAME}` is a value; over a link, `{link.source}` and `{link.target}` are its sites.
        objectives: those it serves; all if omitted.
        against: objectives whose advice it contradicts. It applies where one of its own ranks above all of them.
        labels: label -> values; it applies to environments that have one of them, and to none that has one that is
            written with ! before it: those without the label are judged by a check that names no other.
        params: values the author chose and an environment may override.
        views: a name for expressions -> a fact computed from others.
        applies: when the check has a meaning.
        where_none: what it means that nothing is there to judge, or to ask of; without it the check does not apply.
        over: what it is about: an environment, a link between two, or all of them together.
        gate: it is about a step of a procedure, or a name in an error text: gates judge it, runs that name it by
            `--only`, and those of a symptom that lists it; no others.
        remedy: Markdown: what to do first, effort, risk. Commands in it are shown, never executed.
        audit: how to see the same with the vendor's own tool.
        errors: error texts by which people arrive.
        sources: where thresholds and claims come from.
    """

    id: Id
    title: Annotated[Sentence, Meta(description="states the compliant condition")]
    severity: Annotated[Severity, Meta(description="it follows from consequence: write that, or a severity alone")]
    facts: Annotated[dict[Name, FactRequest], Meta(min_length=1)]
    expect: Expectation
    consequence: consequences.Consequence | Literal[""] = ""
    effect: Annotated[str, Meta(description="what is wrong, in its words; {failed}, {judged}, {params.NAME}")] = ""
    objectives: list[Objective] = []
    against: list[Objective] = []
    labels: dict[str, list[str]] = {}
    params: dict[Name, Parameter] = {}
    views: dict[Name, ViewRequest] = {}
    applies: Applicability | None = None
    where_none: WhereNone | None = None
    over: Literal["environment", "link", "fleet"] = "environment"
    gate: Annotated[
        bool, Meta(description="judged by gates, by symptoms that list it and by --only, in no other run")
    ] = False
    remedy: str = ""
    audit: str = ""
    errors: list[str] = []
    sources: list[str] = []

    @staticmethod
    def completed(fields: Mapping[str, Any]) -> dict[str, Any]:
        """What was written, with what follows from it."""
        return consequences.with_severity(fields)


class PossibleCause(Struct, frozen=True, forbid_unknown_fields=True):
    """One possible cause of a symptom: told by the tool where it names a cause block, else by a person who looks.

    Attributes:
        cause: what may have happened.
        holds: the cause block that tells whether it is this one, by its id or RUNBOOK/ID; none where only a person can.
        checks: those that fail when it is the one.
        look: where else to look.
        remedy: what to do about it.
        risk: what that may cost.
    """

    cause: Sentence
    holds: Annotated[
        str,
        Meta(description="the cause block that decides whether it is this one; without it a person must"),
    ] = ""
    checks: list[str] = []
    look: str = ""
    remedy: str = ""
    risk: str = ""


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """When a cause holds: for each group of rows for which `that` is true.

    Attributes:
        each: the fact whose rows are looked at.
        that: the expression that is true of the cause.
        where: only rows for which this is true are looked at.
        join: as in an expectation.
        by: columns of which equal values make one finding (one for each broker); without any, all rows make one.
    """

    each: Name
    that: Expression
    where: Expression | None = None
    join: dict[Name, str | dict[str, str]] = {}
    by: list[Name] = []


class Cause(Renamable, frozen=True, forbid_unknown_fields=True):
    """A `{.cause}` block: what may have happened, told by facts, and what would be so without it.

    Attributes:
        id: unique in its runbook.
        title: the cause in a few words.
        over: what it is looked for in: an environment, or a link between two, whose facts are told apart by `at`.
        facts: as in a check. A cause asks for nothing: where a run did not fetch one of them, it is not looked at.
        views: as in a check.
        params: as in a check.
        holds: when it is this one.
        says: the cause of this finding in one sentence; `{expression}` is replaced by its value, `{rows}` by a count.
        proof: the evidence, the counter-evidence too; templates as `says`.
        first: what to do first; a template as `says`.
        procedure: the procedure that carries it out, by its id or RUNBOOK/ID.
        words: words in capitals of that procedure's commands → their values, as `--set` where not empty; as `says`.
        avoid: what must not be done, after "do not", with which a second act begins; a template as `says`.
        verify: checks that pass when it is over.
        before: causes whose first action is in vain as long as this one holds, by id or RUNBOOK/ID: it comes first.
        undone: what facts would be without it; of a cause over a link one for each end that it touches.
        sources: where its mechanism is known from.
    """

    id: Id
    title: Sentence
    facts: Annotated[dict[Name, FactRequest], Meta(min_length=1)]
    holds: Condition
    says: Annotated[str, Meta(min_length=3)]
    first: Annotated[str, Meta(min_length=3)]
    undone: Undone | Annotated[list[Undone], Meta(min_length=1)]
    sources: Annotated[list[str], Meta(min_length=1)]
    over: Literal["environment", "link"] = "environment"
    proof: list[str] = []
    avoid: str = ""
    procedure: str = ""
    words: dict[str, str] = {}
    verify: list[str] = []
    before: list[str] = []
    views: dict[Name, ViewRequest] = {}
    params: dict[Name, Parameter] = {}

    @property
    def recoveries(self) -> list[Undone]:
        """All of `undone`."""
        return self.undone if isinstance(self.undone, list) else [self.undone]


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence about each row of a fact.

    Attributes:
        label: the word before it, such as now or next.
        each: the fact.
        says: the sentence; `{expression}` is replaced by its value, "?" where that is not known.
        where: only rows of which this is true; a row of which it is not known is told of, too.
    """

    label: Annotated[str, Meta(pattern="^[a-z][a-z ]{1,9}$")]
    each: Name
    says: Annotated[str, Meta(min_length=3)]
    where: Expression | None = None


class Effect(Renamable, frozen=True, forbid_unknown_fields=True):
    """An `{.effect}` block: what is wrong does to users now, and what the next loss would do; told beside causes.

    Attributes:
        id: unique in its runbook.
        title: what it tells.
        facts: as in a check; as with a cause, nothing is fetched for it.
        views: as in a check.
        tells: the sentences.
        sources: where its mechanism is known from.
    """

    id: Id
    title: Sentence
    facts: Annotated[dict[Name, FactRequest], Meta(min_length=1)]
    tells: Annotated[list[Statement], Meta(min_length=1)]
    views: dict[Name, ViewRequest] = {}
    sources: list[str] = []


class Diagnostic(Renamable, frozen=True, forbid_unknown_fields=True):
    """A `{.diagnostic}` block: a symptom, its possible causes, what tells them apart.

    Attributes:
        id: unique in its runbook.
        title: the symptom in a few words.
        symptom: how it shows.
        audit: how to see it with the vendor's own tool.
        causes: the likeliest first.
        alerts: names of alert rules by which people arrive.
        errors: error texts by which people arrive.
        sources: where it is known from.
    """

    id: Id
    title: Sentence
    symptom: str
    causes: Annotated[list[PossibleCause], Meta(min_length=1)]
    audit: str = ""
    alerts: list[str] = []
    errors: list[str] = []
    sources: list[str] = []

    @property
    def checks(self) -> list[str]:
        """Those that tell its causes apart, as its causes name them."""
        return [check for cause in self.causes for check in cause.checks]


def whole_name(name: str, runbook: str) -> str:
    """RUNBOOK/ID of a block that another one names: of the runbook of that other, where the name has none."""
    return name if "/" in name else f"{runbook}/{name}"


class GateCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """A check of a gate that looks at one of two environments.

    Attributes:
        check: its id, or RUNBOOK/ID.
        at: the environment that is left (source), or the one that takes over (target).
    """

    check: str
    at: Site

    def __str__(self) -> str:
        return f"{self.check} at the {self.at}"


GateEntry = str | GateCheck
"""A check of a gate. By its name alone it looks at the environment of the walk: of two the target, or the link."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a procedure: what a person does, and how to see that it worked.

    Attributes:
        do: what to do: one act.
        command: how; shown, never executed.
        why: why it is done, and why here.
        risk: what may go wrong.
        effort: how long it takes, and what of.
        verify: checks that must pass before the next step.
        stop: when to stop and go back.
        switch: with this step producers move from the source to the target, and a drill's canary with them.
    """

    do: str
    command: str = ""
    why: Annotated[str, Meta(description="why it is done, and why here")] = ""
    risk: str = ""
    effort: Annotated[str, Meta(description="how long it takes, and what of")] = ""
    verify: list[GateEntry] = []
    switch: Literal["writers"] | None = None
    stop: Annotated[str, Meta(description="when to stop and go back")] = ""


class Procedure(Renamable, frozen=True, forbid_unknown_fields=True):
    """A `{.procedure}` block: numbered steps, with checks before, between and after.

    Attributes:
        id: unique in its runbook.
        title: what it achieves.
        steps: in order.
        risk: of the whole.
        before: checks that must pass before the first step.
        after: checks that must pass at the end.
        undo: the way back.
        loses: what is lost on purpose when it is drilled; a drill proves nothing unless the tool saw this loss itself.
        errors: error texts by which people arrive.
        sources: where it is known from.
    """

    id: Id
    title: Sentence
    steps: Annotated[list[Step], Meta(min_length=1)]
    risk: str = ""
    before: list[GateEntry] = []
    after: list[GateEntry] = []
    undo: str = ""
    loses: Annotated[Loss, Meta(description="what a drill of it loses on purpose")] | None = None
    errors: list[str] = []
    sources: list[str] = []


class Amendment(Struct, frozen=True):
    """An `{.amend}` block, in a runbook that extends a built-in one: what differs of one of its blocks.

    Beside `id` stand fields of that block: a mapping is merged with the one that is there, any other value takes the
    place of the one that is there, and `null` takes it away.

    Attributes:
        id: of the block that is amended.
    """

    id: Id


AMEND = "amend"  # the class of fenced blocks that amend others
Block = Check | Cause | Effect | Diagnostic | Procedure
BLOCKS: dict[str, type[Block]] = {kind.__name__.lower(): kind for kind in (Check, Cause, Effect, Diagnostic, Procedure)}
