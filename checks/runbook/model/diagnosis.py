"""What a run says of causes: which hold, what they account for, and what they do not."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field


class LabelledSentence(Struct, frozen=True):
    """A sentence with the word before it."""

    label: str
    says: str


class ChangesSince(Struct, frozen=True, kw_only=True):
    """What changed since the last look whose facts are kept.

    Attributes:
        since: when that look began; empty where it could not be read.
        run: the run that looked.
        sentences: the most telling changes (`told` in JSON), each with whether something is new, gone or changed.
        more: how many there are beside them.
        by_causes: how many more are what the causes that hold have changed.
        seen_twice: how many rows both looks saw; where it is 0 and nothing is told, nothing could be compared.
        unseen: how many rows one of them did not see, so that nobody knows whether they changed.
        unseen_why: the reason that hides most, after the look that it hides it from (now, then), or both; empty where
            all was seen twice.
        unread: why the kept look could not be read; empty where it was.
    """

    since: str = ""
    run: str = ""
    sentences: list[LabelledSentence] = field(name="told", default_factory=list)
    more: int = 0
    by_causes: int = 0
    seen_twice: int = 0
    unseen: int = 0
    unseen_why: str = ""
    unread: str = ""


class WalkOnRecord(Struct, frozen=True, kw_only=True):
    """A walk of the last days through a procedure, as its record says: somebody is at it, or has done it.

    Attributes:
        walk: its id.
        procedure: RUNBOOK/ID.
        environments: where; of a walk from one to another, both, in this order.
        standing: under way, paused, completed or given up.
        stage: the step or gate that it came to; empty where it came to none.
        by: who began it.
        at: when something was last added to its record, RFC 3339 UTC.
        word: what commands call it: its id, or the file where it is not among the user's own.
    """

    walk: str
    procedure: str
    environments: list[str]
    standing: str
    stage: str
    by: str
    at: str
    word: str


class CauseFound(Struct, kw_only=True):
    """A cause that holds, or may hold.

    Attributes:
        cause: the name of its block, RUNBOOK/ID.
        title: what such a cause is called.
        says: the cause in one sentence.
        certain: whether facts decide that it holds; if not, it is possible.
        keys: what it is about: column → values.
        proof: the evidence.
        first: what to do first.
        procedure: the procedure that carries it out, RUNBOOK/ID; empty where none does.
        words: what it knows of the words in capitals of that procedure's commands, by word.
        avoid: what must not be done.
        verify: checks that pass when it is over.
        explains: failing checks that pass when judged again without it.
        helps: failing checks that pass only without all of the causes together, and that without it alone do not.
        may_explain: failing checks of which it is not known what they would say without it.
        withholds: unknown checks that lack only what it keeps from being seen.
        beneath: the cause from which it follows, as that one says it; empty if from none.
        standing: whether all that it explains are standing conditions, such as settings: no fault of this hour.
        new: whether it is known not to have held when facts were kept last; asked only where several causes hold.
    """

    cause: str
    title: str
    says: str
    certain: bool
    keys: dict[str, list[Any]] = {}
    proof: list[str] = []
    first: str = ""
    procedure: str = ""
    words: dict[str, str] = {}
    avoid: str = ""
    verify: list[str] = []
    explains: list[str] = field(default_factory=list)
    helps: list[str] = field(default_factory=list)
    may_explain: list[str] = field(default_factory=list)
    withholds: list[str] = field(default_factory=list)
    beneath: str = ""
    standing: bool = False
    new: bool = False


class Contrast(Struct, frozen=True):
    """What holds of the offending rows of a check and hardly of those that are well, with counts; never called a cause.

    Attributes:
        says: what holds: `led by broker 2`.
        failing, of_failing: of how many of the offending rows it holds, and how many there are.
        others, of_others: of how many of the rows that are well, and how many there are.
        names: entity → the value that it names.
    """

    says: str
    failing: int
    of_failing: int
    others: int
    of_others: int
    names: dict[str, str] = {}


class Diagnosis(Struct, kw_only=True):
    """What is said of one environment.

    Attributes:
        environment: its name.
        causes: those that hold, then those that may hold and would explain something; of either first those that are
            new since the last kept look, then acute ones, then what explains the gravest failures, then most of them.
        effects: what is so now and what the next loss would do.
        unexplained: failing checks that no cause accounts for, in whole or in part; those that are waived left out.
        left_over: check → how many of its rows would fail still without all causes.
        contrasts: check → what tells its rows that fail still from those that are well, where something does.
        newly: failing checks that are known not to have failed when facts were kept last.
        lasting: failing checks that failed when facts were kept last, too.
        undecided: causes of which could not be found out whether they hold.
        notes: what was not looked at.
        changes: what is otherwise than when the last facts were kept; None where none are kept.
        walks: those of the last days at this environment that are on record, the newest first.
    """

    environment: str
    causes: list[CauseFound] = field(default_factory=list)
    effects: list[LabelledSentence] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)
    left_over: dict[str, int] = {}
    contrasts: dict[str, list[Contrast]] = {}
    newly: list[str] = []
    lasting: list[str] = []
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    changes: ChangesSince | None = None
    walks: list[WalkOnRecord] = field(default_factory=list)

    @property
    def named(self) -> list[CauseFound]:
        """The causes that hold and that follow from no other."""
        return [cause for cause in self.causes if cause.certain and not cause.beneath]


def of_environment(diagnoses: Iterable[Diagnosis], environment: str) -> Diagnosis | None:
    """The diagnosis of an environment, if there is one."""
    return next((diagnosis for diagnosis in diagnoses if diagnosis.environment == environment), None)
