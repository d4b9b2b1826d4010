"""A procedure walked as a careful person would: steps are read, their commands run as shown, gates looked at."""

import os
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from runbook.procedure.placeholders import fill_in, placeholders
from runbook.procedure.walk_file import load
from runbook.procedure.walk_record import Record

RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PATIENCE = 300.0  # seconds for the walk to say anything
_LOOKS = 30  # at a gate that is closed, before it is given up
_FEW = 4  # at one that a step has shut behind itself
_COMMAND = re.compile(r"^ {6}\$ (.*)$", re.MULTILINE)
_ENDS = re.compile(r".*Error processing message, terminating consumer process.*\n.*TimeoutException.*\n?")
"""What the console consumer logs when nothing more comes within --timeout-ms."""
_QUESTIONS = ("Enter: done", "Enter: look again", "what happened: ")

Hand = Callable[[Sequence[str]], None]
"""What a person does at a step, given the commands that it shows."""


class Walked:
    """A walk in a process of its own, and the hands that carry it out.

    Attributes:
        procedure: which one, as dr#fail-over.
        output: what the tool has said so far.
    """

    def __init__(
        self, folder: Path, procedure: str, where: str, to: str = "", words: Mapping[str, str] | None = None
    ) -> None:
        """Begin it in a folder with an inventory, in an environment, or from there to another that takes over.

        `words` are those that --set gives.
        """
        self.procedure = procedure
        self.output = ""
        self._unread = ""
        self._question = ""
        self._at_gate = False
        self._records = Path(tempfile.mkdtemp(prefix="walk-", dir=folder))  # its own: a hand may walk meanwhile
        self._folder = folder
        place = [procedure, "--env", where, *(["--to", to] if to else [])]
        self._process = self._started([*place, "--record", str(self._records)], words or {})

    def _started(self, what: Sequence[str], words: Mapping[str, str]) -> subprocess.Popen[bytes]:
        options = ["--no-terminal", "--by", "ada", "--deadline", "60s"]
        options += [word for name, value in words.items() for word in ("--set", f"{name}={value}")]
        return subprocess.Popen(
            [RUNBOOK, "procedure", "walk", *what, *options],
            cwd=self._folder,
            env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def by(self, hands: Sequence[Hand], at_a_closed_gate: Callable[[int], None] = lambda _: None) -> Record:
        """Walk to the end; gives the record.

        Args:
            hands: one for each step.
            at_a_closed_gate: what is done before a gate is looked at again, given how often it was.
        """
        left, looks = [*hands], 0
        try:
            while (question := self._asked()) != "what happened: ":
                if question == "Enter: look again":
                    looks += 1
                    assert looks < _LOOKS, f"a gate stays closed: {self.output[-3000:]}"
                    self._at_gate = True
                    at_a_closed_gate(looks)
                    self._at_gate = False
                    if self._question:
                        continue
                    time.sleep(2)
                else:
                    looks = 0
                    assert left, f"there are more steps than hands: {self.output[-2000:]}"
                    left.pop(0)(_COMMAND.findall(self.output[self.output.rindex("STEP ") :]))
                self._answer()
            self._process.wait(60)
        finally:
            self._process.kill()
            self._process.communicate(timeout=800)
            self._records.with_suffix(".txt").write_text(self.output, "utf-8")  # for who looks at what went wrong
        assert left == [], f"there are fewer steps than hands: {self.output[-2000:]}"
        [file] = self._records.iterdir()
        return load(file)

    def pauses(self, words: Mapping[str, str] | None = None) -> None:
        """Pause, and go on at the same step or gate by what the inventory, and these words, say now."""
        self._answer("p")
        self._goes_on(words or {})
        question, looks = self._until(_QUESTIONS), 0
        if self._at_gate:
            self._question = question  # a gate is looked through again, and may be open now
            return
        while question == "Enter: look again" and looks < _LOOKS:  # at the gate before the step, which was open once
            looks += 1
            time.sleep(2)
            self._answer()
            question = self._until(_QUESTIONS)
        assert question == "Enter: done", self.output[-2000:]

    def dies(self) -> list[str]:
        """End the tool as a machine does that loses its power, and go on at the same step.

        A gate that the step has shut behind itself is looked at some times and gone through closed; gives their stages.
        """
        self._process.kill()
        self._goes_on({})
        shut, looks = [], 0
        while self._until(_QUESTIONS) == "Enter: look again":
            looks += 1
            if looks < _FEW:
                self._answer()
                time.sleep(1)
                continue
            gate = self.output[self.output.rindex("\ngate ") + 1 :]
            shut.append(gate.partition(":")[0])
            self._answer("o")
            self._until(("why go on? (Enter: back) > ",))
            self._answer("the step behind it was done already")
        return shut

    def _goes_on(self, words: Mapping[str, str]) -> None:
        """Once the tool has ended, start it again with the record that it has left."""
        self._process.communicate(timeout=800)
        self._unread = ""
        [file] = self._records.iterdir()
        self._process = self._started(["--resume", str(file)], words)

    def _asked(self) -> str:
        """The question that waits for an answer."""
        question, self._question = self._question or self._until(_QUESTIONS), ""
        return question

    def _answer(self, text: str = "") -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        self._process.stdin.flush()

    def _until(self, texts: Sequence[str]) -> str:
        """Wait for the first of these that comes after what was waited for last."""
        end = time.monotonic() + PATIENCE
        assert self._process.stdout is not None
        while not (found := [(self._unread.index(text), text) for text in texts if text in self._unread]):
            assert time.monotonic() < end, f"nothing of {texts} came: {self.output[-3000:]}"
            if select.select([self._process.stdout], [], [], 1)[0]:
                came = os.read(self._process.stdout.fileno(), 65536).decode("utf-8", "replace")
                assert came, f"nothing of {texts} came: {self.output[-3000:]}"
                self.output += came
                self._unread += came
        first = min(found)[1]
        self._unread = self._unread.partition(first)[2]
        return first


class Careful:
    """Who does each step once, as it stands there."""

    way = "right"

    def walks(self, walked: Walked, hands: Sequence[Hand]) -> Record:
        """Walk to the end; gives the record."""
        return walked.by(hands)


def does_nothing(_: Sequence[str]) -> None:
    """The hand of a step that is a question to people, or that was done beforehand."""


def edited(hand: Hand, *changes: tuple[str, str]) -> Hand:
    """A hand that types what is shown with some words changed, as the step says one has to; each pattern is there."""

    def acts(commands: Sequence[str]) -> None:
        changed = [*commands]
        for old, new in changes:
            assert any(re.search(old, line) for line in changed), (old, changed)
            changed = [re.sub(old, new, line) for line in changed]
        hand(changed)

    return acts


FINDS: Final = (r"^(runbook check .*)$", r"\1 || test $? -eq 1")
"""The change for a step whose check is to find what is wrong, and so ends with 1."""


def types(
    folder: Path, path: Path, *fillings: Mapping[str, str], reads: Callable[[str], None] = lambda _: None
) -> Hand:
    """A hand that runs the commands shown, once for each filling of what they leave open.

    Args:
        folder: where they run.
        path: where Kafka's tools are.
        fillings: placeholder → value, each for one round; none if nothing is left open.
        reads: is given what each of them printed.
    """

    def run(commands: Sequence[str]) -> None:
        assert commands
        done: set[str] = set()
        for filling in fillings or ({},):
            for command in commands:
                filled = fill_in(command, filling).text
                assert placeholders(filled) == (), f"nobody says what to fill in: {filled}"
                if filled not in done:
                    done.add(filled)
                    reads(_typed(filled, folder, path))

    return run


def _typed(command: str, folder: Path, path: Path) -> str:
    environment = os.environ | {"PATH": f"{path}:{Path(RUNBOOK).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )
    output = done.stdout + _ENDS.sub("", done.stderr)
    assert done.returncode == 0, f"{command}: {output}"
    wrong = re.search(r"is not a recognized option|Missing required argument|^Error:|ERROR", output, re.MULTILINE)
    assert not wrong, f"{command}: {output}"
    return output
