"""Walk at a terminal, or with answers from lines of standard input; the walking itself is `runbook.procedure`'s."""

import sys
import termios
from pathlib import Path
from typing import Final

from runbook.cli.old_names import tell_old_names
from runbook.model.errors import UsageError
from runbook.parse.inventory import LEAST_REASON
from runbook.procedure.events import Choice, NobodyAnswers, Question
from runbook.procedure.walk_file import load
from runbook.procedure.walk_start import WalkOptions, record_to_resume, require_procedure, walk
from runbook.procedure.walker import Ending
from runbook.show.walk_screen import WalkScreen
from runbook.terminal.end_signals import ended_by_signals
from runbook.terminal.status import colored, typed

EXIT_CODES: Final[dict[Ending, int]] = {"completed": 0, "flawed": 1, "paused": 3, "interrupted": 130}
_KEYS: Final[dict[Choice, str]] = {"skip": "s", "go on all the same": "o", "note": "n", "pause": "p", "give up": "q"}
_DOES: Final[dict[Choice, str]] = {
    "done": "you have done it; the record says so, and the gate behind it looks whether it worked",
    "skip": "you leave it out; you are asked why, and that stands on the record",
    "look again": "its checks are judged anew, once you have fixed what keeps it closed",
    "go on all the same": "you go through it closed; you are asked why, and that stands on the record",
    "note": "you write a line down, as who decided; it stands on the record, and you are asked anew",
    "pause": "nothing more happens now; the command that goes on from here is shown",
    "give up": "the walk ends here; the way back is shown, and you are asked why",
    "back": "nothing is written down, and you are asked anew what is to be done",
}
_HELP: Final = "?"
_HELPS: Final = (_HELP, "h", "help")
_WORDS: Final = {*_KEYS.values(), *_DOES}
_ON_RECORD: Final = "goes on the record with your name and the time"
_YES: Final = ("y", "yes")  # to a step; of a gate nobody is asked whether it is open


def walk_here(options: WalkOptions, color: str) -> int:
    """Walk with whoever is at standard input, and give the exit code. What ends the process pauses it, as Ctrl-C does.

    Raises:
        UsageError: nobody is there to answer, or something that was asked for is not there; with the remedy.
    """
    meant = _walk_meant(options) if options.resume else ""
    _somebody(options)
    tell_old_names([options.what] if options.what else [])
    screen = WalkScreen(color=colored(color, sys.stdout), inventory=str(options.inventory or ""))
    if meant:
        screen.page.say(f"{options.resume} is taken for {meant}")

    def answer(question: Question) -> str:
        if not question.choices:
            return _text(screen, question)
        return _reason(screen, question) if question.text else _choice(screen, question.choices)

    try:
        with ended_by_signals() as ended:
            return ended.code(EXIT_CODES[walk(options, screen.tell, answer)])
    finally:
        screen.clear()


def _walk_meant(options: WalkOptions) -> str:
    """The id of the walk to go on with, where only its beginning was written.

    Raises:
        UsageError: there is no such walk, which is to be known before a terminal is looked for.
    """
    path = record_to_resume(options)
    walk = load(path).begun.walk
    return "" if options.resume == walk or path == Path(options.resume) else walk


def _somebody(options: WalkOptions) -> None:
    if options.attended and not sys.stdin.isatty():
        if not options.resume:
            require_procedure(options)  # else somebody finds a terminal, and only there that its name is mistyped
        raise UsageError(
            "a walk waits for a person at a terminal, and standard input is none. Start it in a terminal (ssh -t), or "
            "say that answers come as lines of standard input: --no-terminal"
        )


def offered(choices: tuple[Choice, ...]) -> str:
    """The choices of a question, each with its key."""
    return "   ".join(f"{_KEYS.get(choice, 'Enter')}: {choice}" for choice in choices)


def _choice(screen: WalkScreen, choices: tuple[Choice, ...]) -> Choice:
    """Ask until an answer is one of the choices."""
    meant = _meant(choices)
    while True:
        answer = _ask(screen, offered(choices)).lower()
        if answer in _YES and "done" in choices:
            return "done"
        if answer in meant:
            return meant[answer]
        if answer not in _HELPS:
            screen.page.say(f"{answer!r} is none of them; {_HELP} says what each of them does")
            continue
        _explain(screen, choices)


def _meant(choices: tuple[Choice, ...]) -> dict[str, Choice]:
    """What may be typed for each choice: its key, or the word itself."""
    return {written: choice for choice in choices for written in (_KEYS.get(choice, ""), choice)}


def _explain(screen: WalkScreen, choices: tuple[Choice, ...]) -> None:
    for choice in choices:
        screen.page.part(f"{_KEYS.get(choice, 'Enter'):5}", f"{choice}: {_DOES[choice]}", indent=2)


def _reason(screen: WalkScreen, question: Question) -> str:
    """Ask until there is a reason, or one of the choices in its place: a key is no reason, of whatever question."""
    meant = _meant(question.choices)
    while True:
        answer = _ask(screen, f"{question.text} (Enter: back)")
        word = answer.lower()
        if word in meant:
            return meant[word]
        if word in _HELPS:
            screen.page.say(f"a sentence of {LEAST_REASON} characters at least, which {_ON_RECORD}; or")
            _explain(screen, question.choices)
        elif word in _WORDS or len(answer) < LEAST_REASON:
            screen.page.say(
                f"{answer!r} is no reason: a sentence of {LEAST_REASON} characters at least, please; it {_ON_RECORD}. "
                f"{_HELP} says what else can be answered"
            )
        else:
            return answer


def _text(screen: WalkScreen, question: Question) -> str:
    """Ask for a text, which may be empty."""
    while (answer := _ask(screen, f"{question.text} (Enter: {question.empty})")) == _HELP:
        screen.page.say(f"a sentence, which {_ON_RECORD}")
    return answer


def _ask(screen: WalkScreen, question: str) -> str:
    screen.clear()
    echoes = sys.stdin.isatty()
    if echoes:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)  # an Enter from before the question is no answer to it
    screen.page.prompt(question)
    line = typed() if echoes else sys.stdin.readline()
    if not line:
        raise NobodyAnswers
    answer = line.strip()
    if not echoes:
        screen.page.say(answer)
    return answer
