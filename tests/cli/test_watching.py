"""What `--watch` refuses before anything is asked, and what it tells of one look after the other."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.cli.watching import Watching, watch
from runbook.model.result import Outcome
from runbook.model.run import Head, Run
from support.small_runbooks import result


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--watch", "--every", "0.1s"], "--every 0.1s: each look asks every system: 1s at least, please"),
        (["--until-pass", "--every", "soon"], "--every "),
        (["--watch", "--from", "facts.json"], "a bundle never changes, so it is looked at once; leave --from out"),
        (["--looks", "2", "--from", "facts.json"], "a bundle never changes, so it is looked at once"),
        (["--looks", "2", "--until-pass"], "--watch looks again anyway; leave --looks out"),
        (["--looks", "3"], "3"),
    ],
)
def test_what_can_not_be_watched_is_refused(command: Any, arguments: list[str], said: str) -> None:
    ended = command("check", "ha", *arguments)
    assert (ended.code, said in ended.err) == (2, True)


def test_off_a_terminal_a_look_that_is_as_the_one_before_is_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    looks = [(12, 12), (12, 12), (9, 9), (9, 9), (0, 0)]
    runs = []
    for number, failed in enumerate(looks):
        run = Run("r", "0", "manual", complete=True, started_at=f"2026-11-24T07:00:{number:02}.000Z", deadline_ms=1)
        run.heads = [Head("prod")]
        run.results = [
            replace(result(f"ha/{name}", "prod", Outcome.FAIL if rows else Outcome.PASS), failed=rows, judged=12)
            for name, rows in zip("ab", failed, strict=True)
        ]
        runs.append(run)
    next_run = iter(runs)
    last = watch(
        lambda _: SimpleNamespace(run=next(next_run)),  # type: ignore[arg-type, return-value]
        lambda _: "",
        Watching(every=0.0, until_pass=True, fail_on="low"),
    )
    assert last.run is runs[-1]
    assert capsys.readouterr().err.splitlines() == [
        "07:00:00  0 pass, 2 fail, 0 unknown",
        "07:00:02  0 pass, 2 fail, 0 unknown",
        "          fewer: ha/a, ha/b: 9 rows, was 12; none in about 3 s",
        "07:00:04  2 pass, 0 fail, 0 unknown",
        "          pass now: ha/a, ha/b",
    ]
