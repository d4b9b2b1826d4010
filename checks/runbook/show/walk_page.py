"""What a walk prints: plain lines, wrapped, in which no text from elsewhere can drive the terminal."""

import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from runbook.judge.first_step import Wording, whole
from runbook.judge.summary import counted, some
from runbook.model.block import Procedure, Step
from runbook.procedure.events import GateClosed
from runbook.procedure.loss_seen import SEEN
from runbook.procedure.placeholders import fill_in
from runbook.procedure.walk import CheckAt
from runbook.procedure.walk_record import Begun, GateSeen, Measured, Overruled, Sighting, Skipped
from runbook.reports._wrapped_lines import lines_with_code
from runbook.safety.sanitize import sanitize

_PROSE = 4  # columns before what a runbook says
_NAMES = 8  # that a placeholder may stand for, of many. Our judgement
_NARROWEST, _WIDEST = 40, 100  # columns in which a paragraph can be read. Our judgement


class WalkPage(Struct):
    """Where a walk is printed.

    Attributes:
        environment: where the gates look.
        width: columns.
        color: whether gates are shown with colours.
        values: what placeholders of commands stand for.
        login: by which security.protocol the cluster is reached, if Kafka's tools need a file for it.
        choices: of placeholders that may stand for several names, those names.
        unseen: of placeholders of which nothing was seen, why.
    """

    environment: str
    width: int
    color: bool
    values: Mapping[str, str] = {}
    login: str = ""
    choices: Mapping[str, Sequence[str]] = {}
    unseen: Mapping[str, str] = {}

    def say(self, text: str) -> None:
        """A line, or several."""
        for line in text.split("\n"):
            print(sanitize(line), flush=True)

    def prompt(self, question: str) -> None:
        """A question; the answer follows on the same line."""
        print(f"{sanitize(question)} > ", end="", flush=True)

    def head(self, begun: Begun, procedure: Procedure, place: str) -> None:
        """What is walked, where, by whom, and where the record is."""
        self.say(f"{begun.title} · {begun.procedure} ({begun.runbook} {begun.runbook_version})")
        self.say(f"{where(begun)} · {counted(len(begun.steps), 'step')} · {begun.by} · walk {begun.walk}")
        self.say(f"record: {place}")
        self.prose("risk", procedure.risk)
        if begun.loses and not begun.rehearsal:
            what = begun.source if begun.loses == "source" else f"a {begun.loses}"
            self.say(f"It proves something only if this tool sees {what} lost: it looks after each step and gate.")
        self.say("Commands are shown for you to read and adapt; nothing here runs them.")

    def name(self, values: Mapping[str, str], choices: Mapping[str, Sequence[str]], unseen: Mapping[str, str]) -> None:
        """What placeholders stand for from here on, besides the others."""
        kept = {word: value for word, value in self.values.items() if word not in choices}
        self.values, self.choices = {**kept, **values}, {**self.choices, **choices}
        self.unseen = unseen

    def gates_lack(self, words: Sequence[str]) -> None:
        """What its gates have to be told, and were not."""
        sentence = f"{', '.join(words)}: begin with --set {words[0]}=…, or set it in the inventory" if words else ""
        self.part("gates ask for", sentence)

    def step(self, number: int, of: int, step: Step) -> None:
        """A step: what to do, how, why, what may go wrong, what it takes, when to stop."""
        self.say(f"\nSTEP {number} of {of}")
        self.prose("", step.do)
        filled = fill_in(step.command.strip(), self.values)
        for line in filled.text.splitlines():
            self.say(f"      $ {line}")
        self.part("fill in", self._to_fill_in(filled.left))
        if self.login and "kafka-" in filled.text:
            self.part("login", f"this cluster asks for {self.login}: give the tool a file with it, by --command-config")
        self.part("switch", "with this step producers move to the target" if step.switch else "")
        self.prose("why", step.why)
        self.prose("risk", step.risk)
        self.prose("effort", step.effort)
        self.prose("stop", step.stop)

    def _to_fill_in(self, left: Sequence[str]) -> str:
        if not left:
            return ""
        return f"{', '.join(map(self._open, left))} (or begin with --set {left[0]}=…)"

    def _open(self, word: str) -> str:
        """A placeholder, with the names that it may stand for, or why none is known."""
        told = some(list(self.choices[word]), _NAMES) if word in self.choices else self.unseen.get(word, "")
        return f"{word} ({told})" if told else word

    def gate(self, name: str, checks: Sequence[CheckAt]) -> None:
        """A gate that is about to be looked through."""
        self.say(f"\nGATE {name}: {', '.join(map(str, checks))}")

    def closed(self, gate: GateClosed) -> None:
        """A gate that stays closed, and why."""
        self.say(f"gate {gate.name}: CLOSED, as {len(gate.seen)} of its checks did not pass:")
        for check in gate.seen:
            self.part(check.outcome.upper(), f"{about(check, self.environment)}: {check.reason}", indent=2)
        self.prose("stop", gate.stop)
        if gate.deadline:
            self.say(f"    to give it more time: p, and then {resuming(gate.place, gate.deadline)}")

    def end(self, outcome: str, exceptions: Sequence[Skipped | Overruled], place: str) -> None:
        """How it ended."""
        self.say(f"\n{outcome}")
        self.exceptions(exceptions)
        self.say(f"what happened: runbook procedure show {place}")

    def exceptions(self, exceptions: Sequence[Skipped | Overruled]) -> None:
        """What was skipped or gone over, with the reasons."""
        for exception in exceptions:
            what = (
                "skipped" if isinstance(exception, Skipped) else f"gone through closed ({', '.join(exception.checks)})"
            )
            self.part("but", f"{exception.stage} was {what}: {exception.reason}", indent=2)

    def prose(self, label: str, text: str) -> None:
        """What a runbook says, wrapped but for its code, which is there to be pasted; nothing for no text."""
        lead = f"{label}  " if label else ""
        for number, pieces in enumerate(whole(text)):
            inert = [replace(piece, text=sanitize(" ".join(piece.text.split("\n")))) for piece in pieces]
            lines = lines_with_code([Wording("" if number else lead), *inert], self._room - _PROSE - 2)
            for line in lines:
                sys.stdout.write(f"{' ' * (_PROSE if line is lines[0] and not number else _PROSE + 2)}{line}\n")
        sys.stdout.flush()

    @property
    def _room(self) -> int:
        return min(max(self.width, _NARROWEST), _WIDEST)

    def part(self, label: str, text: str, *, indent: int = 4) -> None:
        """A paragraph of facts or of our own with a label; nothing for no text."""
        if not text.strip():
            return
        lead = f"{' ' * indent}{label}{'  ' if label else ''}"
        words = sanitize(" ".join(text.split()))
        for line in textwrap.wrap(
            words, self._room, initial_indent=lead, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
        ):
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def resuming(place: str, deadline: str) -> str:
    """The command by which a walk goes on, with the deadline that its gate needs, if it needs another."""
    return f"runbook procedure walk --resume {place}{f' --deadline {deadline}' if deadline else ''}"


def changed_since(changed: Sequence[str]) -> str:
    """What of the inventory is another than when the walk was at work before; no text for nothing."""
    return f"the inventory has changed meanwhile: {', '.join(changed)}" if changed else ""


def where(begun: Begun) -> str:
    """Where a walk looks, and what it is worth."""
    link = f"{begun.source} → {begun.target}" if begun.source else begun.environment
    drill = " · drill" if begun.drill else ""
    return f"{link}{drill}{' · REHEARSAL on kept facts' if begun.rehearsal else ''}"


def figures(measured: Measured, *, link: bool) -> Iterator[str]:
    """What a canary measured over a link or in one place, a sentence each; of what it did not, the reason."""
    written = _over_link(measured) if link else _in_place(measured)
    reasons = {measured.unknown.get(name, "") for name in written}
    if len(reasons) == 1 and all(getattr(measured, name) is None for name in written):
        yield f"no figure is known: {reasons.pop() or 'none was measured'}"
        written = {}
    for name, sentence in written.items():
        value = getattr(measured, name)
        label = name.replace("_", " ").upper() if name.startswith("r") else name
        figure = (
            f"unknown: {measured.unknown.get(name, 'it was not measured')}" if value is None else sentence.format(value)
        )
        yield f"{label}: {figure}"
    for caveat in measured.caveats:
        yield caveat if caveat.startswith(SEEN) else f"beware: {caveat}"
    for place in measured.left:
        yield f"left behind: {place}"


def _in_place(measured: Measured) -> dict[str, str]:
    return {
        "rpo_records": f"of {measured.acknowledged:,} acknowledged records, {{:,}} can't be read",
        "rpo_seconds": "from the first of these to the last acknowledged it is {:,.1f} s",
        "duplicates": "{:,} records are there more than once",
        "rto_write": "a partition acknowledged nothing for {:,.1f} s at most",
        "rto_read": "nothing new of a partition was read for {:,.1f} s at most",
    }


def _over_link(measured: Measured) -> dict[str, str]:
    return {
        "rpo_records": f"of {measured.acknowledged:,} records acknowledged at the source, the target lacks {{:,}}",
        "rpo_seconds": "the target was {:,.1f} s behind",
        "duplicates": "the target has {:,} records more than once",
        "rto_write": "no record was acknowledged for {:,.1f} s",
        "rto_read": "no new record was read for {:,.1f} s",
    }


def about(seen: GateSeen, environment: str) -> str:
    """A check, and what it is about if that is not the environment."""
    return seen.check if seen.subject in ("", environment) else f"{seen.check} [{seen.subject}]"


def in_words(looks: Sequence[Sighting]) -> str:
    """What a look saw, in a line for the person who drills."""
    return "; ".join(f"{look.environment}: {_look_in_words(look)}" for look in looks)


def _look_in_words(look: Sighting) -> str:
    if look.dark:
        return "nothing answers"
    if look.unknown:
        return f"could not be seen: {look.unknown}"
    parts = (("in service", look.serving), ("gone", look.gone), ("unsure", look.unsure))
    return ", ".join(f"{word} {', '.join(map(str, nodes))}" for word, nodes in parts if nodes) or "no broker"
