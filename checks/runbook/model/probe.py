"""What a probe declares, and the clock it works under.

A probe is one file in `probes/`, named as the probe. It holds `PROBE`, a `Probe`, and a function
`observe(connection, **parameters) -> Observed`, which calls methods of what it is given. The file is loaded where facts
are judged, too, and imports nothing that connects.

A connection is one file in `connections/`, with a function `connect(settings, clock) -> connection`; what it returns
has a method `close()`. `ADDRESS` names the setting that says where the system is, and `settings_at(address)` gives the
settings for one at host:port; `tls_settings(authority)`, if it speaks TLS, those that turn TLS on. A function
`prepare()`, if there is one, loads the client library early.
`OF_ITS_OWN`, if there is one, names the requests that it makes whatever it is asked. `BUILDS_ON`, if there is one,
names connections whose settings it gets too, where the same environment has them. `OF_THE_ENVIRONMENT`, if there is
one, names fields of the environment's own entry that it gets among its settings, such as what it may do.
"""

import os
import time
from typing import Literal

from msgspec import Struct

from runbook.model.column import Column
from runbook.model.parameter import Parameter
from runbook.model.row import Row, columns_of
from runbook.model.tape import LIVE, Tape

Proof = Literal["observed", "active", "drilled", "attested"]


class Probe(Struct, frozen=True):
    """A read-only question: what it gives and what it needs.

    Attributes:
        connections: the kinds of connection it can be put to, files in `connections/`; each gives the same facts. The
            first that the inventory gives is used.
        needs: kind of connection -> the setting without which this probe has nothing to ask there; never of the first.
        waits_for: the field of the environment that allows what it does; where that is empty there is nothing for it to
            see. Probes that try something wait for `active` and need not say so.
        each: every kind that the inventory gives tells of other things: all are asked, and their rows are one fact.
        help: one sentence: what a row is.
        row: its rows' class, whose fields are the columns.
        requests: the protocol requests it may make, as published in the list of requests.
        rights: the least rights it needs, in the system's own words.
        parameters: what `with:` may say.
        proof: how it knows.
    """

    connections: tuple[str, ...]
    help: str
    row: type[Row]
    requests: tuple[str, ...]
    rights: tuple[str, ...]
    parameters: dict[str, Parameter] = {}
    proof: Proof = "observed"
    needs: dict[str, str] = {}
    waits_for: str = ""
    each: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of its rows."""
        return columns_of(self.row)


_LONGEST = 10.0
"""Seconds after which nobody waits for an answer to one request, whatever the deadline: our judgement."""
_SLOWER = 4.0
"""How many times as long as it needed before a slow system gets on top of the patience: our judgement."""


class Deadline:
    """The time a worker has: a deadline for everything, and a share of it for one request.

    One request gets at most `patience` seconds, so that a system which hangs leaves time for those that answer: three
    tenths of what there is, thus 3 s of the 10 s that commands have by default, and more where more is given, up to 10.
    """

    def __init__(self, seconds: float, *, patience: float | None = None, tape: Tape = LIVE) -> None:
        """Start the clock; `seconds` is what is left of the run's deadline, `tape` where answers come from."""
        self.tape = tape
        self._end = time.monotonic() + seconds
        # A hung request may be followed by two more to other addresses and still leave room to report.
        self.patience = patience if patience is not None else max(0.5, min(_LONGEST, 0.3 * seconds))

    def left(self) -> float:
        """Seconds until the deadline, never below 0."""
        return self.tape.left(max(0.0, self._end - time.monotonic()))

    def now(self, purpose: str) -> float:
        """Seconds since 1970, of then where answers come from a recording; `purpose` says what they are for."""
        return self.tape.answer("now", purpose, time.time, float)

    def unused_name(self, purpose: str) -> str:
        """A name that nothing has."""
        return self.tape.answer("unused name", purpose, lambda: os.urandom(16).hex(), str)

    def sleep(self, seconds: float) -> None:
        """Let time go by, where somebody is waited for."""
        if not self.tape.replays:
            time.sleep(seconds)

    def at_most(self, seconds: float) -> float | None:
        """Seconds to wait for an answer that another thread gets; None, until it is there, of a recording."""
        return None if self.tape.replays else seconds

    def request(self, slowness: float = 0.0) -> float:
        """Seconds one request may take from now; never 0, as client libraries read 0 as "for ever".

        Args:
            slowness: seconds that the system needed to answer before. What answers, only slowly, is waited for longer;
                what was quick and is silent now is not.
        """
        return max(0.05, min(self.patience + _SLOWER * slowness, self.left() - 0.2))


Clock = Deadline
"""Its older name, which connections of users may import."""
