"""One file per output format: `report(run, options) -> str`.

The file name is the format's name. A report reads a run and the options; it prints nothing and asks no system.
"""

from msgspec import Struct

from runbook.model.block import Severity


class Source(Struct, frozen=True):
    """A runbook of the run: its name, title and version, and where it was read ("built-in", or a path)."""

    name: str
    title: str
    version: str
    where: str


class ErrorSays(Struct, frozen=True):
    """The cause that an error text names by itself, which was given in place of a runbook.

    Attributes:
        symptom: the symptom that lists the error, RUNBOOK/ID.
        cause: the only one of its causes that names the error.
        remedy: what to do about it; empty where the symptom says nothing.
        seen: whether the run sees that cause, too: its cause block holds, or one of its checks fails. False where all
            of its checks pass; null where it has none, or not all of them are known.
    """

    symptom: str
    cause: str
    remedy: str
    seen: bool | None

    @property
    def sentence(self) -> str:
        """The cause with what to do, and that its checks pass, where that is so."""
        passing = "The checks of this cause pass here, which does not rule it out" if self.seen is False else ""
        return " ".join(f"{said.removesuffix('.')}." for said in (self.cause, self.remedy, passing) if said)

    @property
    def read_on(self) -> str:
        """The command that shows the symptom."""
        return f"runbook show {'#'.join(self.symptom.split('/'))}"


class ReportOptions(Struct, frozen=True):
    """What the person who asked wants to see; a format ignores what has no meaning for it.

    Attributes:
        runbooks: those that were run.
        fail_on: failures milder than this do not fail the run.
        rows: how many rows to list for each finding; None lists all.
        full: also list what passed and what did not apply.
        color: whether the console report has colours; its words are the same either way.
        width: columns of the terminal.
        lines: that a console report may have, which says what it leaves out; None: as many as it takes.
        walking: the procedure that whoever reads is walking, as ha/rolling-restart: nobody is advised to walk that.
        inventory: the file that --inventory gave, which commands that are offered need as well; "" where it gave none.
        folder: the working directory; files below it are named as seen from there.
        explained: why nothing could be looked at is told already, with what to do first.
        picked: whether only some checks are meant, as those of a symptom, an alert or an error that was asked for.
        error_says: the cause that an error text names which was asked for; None where there is none.
    """

    runbooks: tuple[Source, ...] = ()
    fail_on: Severity = "low"
    rows: int | None = 5
    full: bool = False
    color: bool = False
    width: int = 80
    lines: int | None = None
    walking: str = ""
    inventory: str = ""
    folder: str = ""
    explained: bool = False
    picked: bool = False
    error_says: ErrorSays | None = None
