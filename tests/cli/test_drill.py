"""`runbook drill`, and walks from one environment to another: which gate looks where, and what the record keeps."""

import datetime as dt
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from runbook.canary import SingleClusterCanary
from runbook.cli.commands import drill
from runbook.model.errors import Denied, UsageError
from runbook.parse.inventory import parse_inventory
from runbook.procedure.events import Tell
from runbook.procedure.lookout import Lookout
from runbook.procedure.walk_file import load, walks_home
from runbook.procedure.walk_record import Begun, Judged, Measured, Paused, Sighting
from support.small_runbooks import FRONT, check_text

BUNDLE = Path(__file__).parents[1] / "cases" / "ha" / "healthy.json"
Command = Callable[..., Any]
PROCEDURE = """```yaml {.procedure}
id: failover
title: Fail over
loses: source
before: [answers, linked, {check: answers, at: source}]
steps:
  - do: Point producers at the standby.
    switch: writers
    verify: [answers]
```
"""
ANSWERS = "facts: {broker: {probe: kafka_broker}}\nexpect: {each: broker, that: '!broker.fenced'}\n"
LINKED = """over: link
facts: {here: {probe: kafka_broker, at: source}, there: {probe: kafka_broker, at: target}}
expect: {each: there, that: '!there.fenced'}
"""


@pytest.fixture
def kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Facts of two environments with two links between them, and a procedure that needs both environments."""
    monkeypatch.setenv("XDG_STATE_HOME", str(here / "state"))
    bundle = json.loads(BUNDLE.read_text("utf-8"))
    name, environment = next(iter(bundle["environments"].items()))
    sites = ("eu", "us", "asia")
    bundle["environments"] = dict.fromkeys(sites, environment)
    bundle["connections"] = dict.fromkeys(sites, bundle["connections"][name])
    asked = [one for one in bundle["kept"] if one["ask"]["environment"] == name]
    bundle["kept"] = [one | {"ask": one["ask"] | {"environment": site}} for site in sites for one in asked]
    bundle |= {"selected": ["eu"], "mirrors": [{"from": "eu", "to": "us"}, {"from": "asia", "to": "us"}]}
    (here / "kept.json").write_text(json.dumps(bundle), "utf-8")
    (here / "ours.md").write_text(
        FRONT + check_text(ANSWERS, "answers") + check_text(LINKED, "linked") + PROCEDURE, "utf-8"
    )
    return here / "kept.json"


@pytest.fixture
def run(command: Command, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command over the kept facts with these answers."""

    def call(answers: list[str], *arguments: str) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{one}\n" for one in answers)))
        return command(*arguments, "--from", str(kept), "--no-terminal", "--by", "ada")

    return call


def drop(kept: Path, site: str) -> None:
    """Make a site dark: of it nothing was found out."""
    bundle = json.loads(kept.read_text("utf-8"))
    bundle["kept"] = [one for one in bundle["kept"] if one["ask"]["environment"] != site]
    kept.write_text(json.dumps(bundle), "utf-8")


def judged(record: Path) -> list[Judged]:
    return [entry for entry in load(record).entries if isinstance(entry, Judged)]


ENDS = ("--env", "eu", "--to", "us")


def test_a_drill_is_walked_and_its_record_says_what_it_was(run: Command):
    ended = run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    assert ended.code == 0
    assert "eu → us · drill · REHEARSAL" in ended.out
    assert "with this step producers move to the target" in ended.out
    begun = load(Path("d.jsonl")).begun
    assert (begun.source, begun.target, begun.environment, begun.drill, begun.rehearsal) == (
        "eu",
        "us",
        "us",
        True,
        True,
    )


def test_a_gate_looks_at_the_target_at_the_one_link_and_where_it_says(run: Command):
    run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    before, after = judged(Path("d.jsonl"))
    assert [(one.check, one.subject, one.at) for one in before.seen] == [
        ("ours/answers", "us", ""),
        ("ours/linked", "eu→us", ""),
        ("ours/answers", "eu", "source"),
    ]
    assert [one.subject for one in after.seen] == ["us"]


def test_a_dark_source_closes_only_what_needs_it(run: Command, kept: Path):
    drop(kept, "eu")
    run(["o", "the source is gone", "", "p"], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    before, after = judged(Path("d.jsonl"))
    assert [one.outcome.value for one in before.seen] == ["pass", "unknown", "unknown"]
    assert after.open


def test_the_other_environment_is_looked_at_under_its_own_name(run: Command, kept: Path):
    drop(kept, "eu")
    told = run(["p"], "drill", "ours.md#failover", *ENDS).out
    assert "UNKNOWN ours/answers [eu]" in " ".join(told.split())


def test_a_walk_from_one_to_another_is_no_drill(run: Command):
    ended = run([""], "procedure", "walk", "ours.md#failover", *ENDS, "--record", "w.jsonl")
    assert ended.code == 0
    assert "drill" not in ended.out
    assert load(Path("w.jsonl")).begun.drill is False


def test_a_procedure_that_needs_two_is_not_walked_with_one(run: Command):
    ended = run([], "procedure", "walk", "ours.md#failover", "--env", "eu")
    assert ended.code == 2
    assert "--env SOURCE --to TARGET" in ended.err


def test_two_environments_without_a_link_are_refused_with_what_to_add(run: Command):
    ended = run([], "drill", "ours.md#failover", "--env", "us", "--to", "eu")
    assert ended.code == 2
    assert "- {from: us, to: eu}" in ended.err


def test_a_drill_of_one_environment_is_about_that_one(run: Command, here: Path):
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text.replace(", {check: answers, at: source}", ""), "utf-8")
    run(["o", "two links", ""], "drill", "ours.md#failover", "--env", "us", "--record", "d.jsonl")
    begun = load(Path("d.jsonl")).begun
    assert (begun.source, begun.target) == ("", "us")


def test_a_drill_goes_on_where_it_was_paused(run: Command):
    assert run(["p"], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl").code == 3
    assert "is a walk of us: to walk asia, begin anew" in run([], "drill", "--resume", "d.jsonl", "--to", "asia").err
    ended = run([""], "drill", "--resume", "d.jsonl")
    assert ended.code == 0
    entries = load(Path("d.jsonl")).entries
    assert isinstance(entries[0], Begun)
    assert [one for one in entries if isinstance(one, Paused)]


def test_records_are_listed_with_the_link(run: Command, command: Command):
    run([""], "drill", "ours.md#failover", *ENDS)
    assert list(walks_home().iterdir())
    assert "eu → us · drill" in command("procedure", "walks").out


def test_the_record_goes_where_the_inventory_looks_for_drills(
    command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch
):
    assert kept.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n\n"))
    (here / "environments.yaml").write_text(
        "mirrors: [{from: eu, to: us}]\n"
        f"environments: {{eu: {{}}, us: {{records: {{drills: {here / 'drills'}}}}}}}\n",
        "utf-8",
    )
    command("drill", "ours.md#failover", *ENDS, "--no-terminal", "--by", "ada", "--deadline", "1s")
    assert [load(file).begun.drill for file in (here / "drills").iterdir()] == [True]


def test_mistakes_in_a_gate_are_told_with_their_place(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8")
    text = text.replace("[answers, linked, {check: answers, at: source}]", "[{check: linked, at: source}]")
    text = text.replace(
        "    verify: [answers]", "    verify: [{check: anwers, at: target}]\n  - {do: Again., switch: writers}"
    )
    (here / "ours.md").write_text(text, "utf-8")
    told = command("lint", "ours.md").out
    assert '"linked" is over: link, so it has no at: in ours/failover' in told
    assert 'no check "anwers" in ours/failover' in told
    assert "producers move twice in ours/failover" in told


def test_a_place_that_is_none_is_told_with_what_may_stand_there(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("at: source", "at: primary")
    (here / "ours.md").write_text(text, "utf-8")
    ended = command("lint", "ours.md")
    assert "before.2.at: 'primary'" in ended.out
    assert "known: source, target" in ended.out


INVENTORY = """environments: {eu: {kafka: {bootstrap.servers: "127.0.0.1:1"}}, us: {}}
mirrors: [{from: eu, to: us, canary: {}}]
"""


ALONE = "environments: {us: {canary: {}}}\n"


@pytest.mark.parametrize(
    ("arguments", "inventory", "said"),
    [
        (("ours.md#failover", *ENDS), INVENTORY.replace(", canary: {}", ""), "add to that entry of mirrors: canary:"),
        (("ours.md#failover", *ENDS), INVENTORY, "us has no kafka connection"),
        (("ours.md#failover", "--env", "eu"), INVENTORY, "does not allow one in eu"),
        (("ours.md#failover", "--env", "us"), ALONE, "us has no kafka connection"),
        (("--resume", "d.jsonl"), INVENTORY, "a pause ends the canary"),
        (("ours.md#failover", *ENDS, "--from", "kept.json"), INVENTORY, "a rehearsal contacts nothing"),
    ],
)
def test_a_canary_is_refused_with_the_way_out_and_nothing_is_recorded(
    command: Command, kept: Path, here: Path, arguments: tuple[str, ...], inventory: str, said: str
):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text.replace(WHERE, ""), "utf-8")
    (here / "environments.yaml").write_text(inventory, "utf-8")
    ended = command("drill", *arguments, "--allow-canary", "--no-terminal", "--by", "ada")
    assert ended.code == 2
    assert said in ended.err
    assert not walks_home().exists()


def test_without_being_asked_no_canary_flies(command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch):
    assert kept.exists()
    monkeypatch.setattr(sys, "stdin", io.StringIO("q\n\n"))
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda *_: pytest.fail("nobody allowed it"))
    text = (here / "ours.md").read_text("utf-8")
    (here / "ours.md").write_text(text.replace(WHERE, ""), "utf-8")
    (here / "environments.yaml").write_text(INVENTORY, "utf-8")
    assert command("drill", "ours.md#failover", *ENDS, "--no-terminal", "--by", "ada", "--deadline", "1s").code == 1


WHERE = "before: [answers, linked, {check: answers, at: source}]\n"


class Watched:
    """A canary that is played: what it was told, and figures that are made up."""

    def __init__(self, why: str = "") -> None:
        self.why = why
        self.told: list[str] = []

    def begin(self, say: Callable[[str], None]) -> None:
        """Begin, or say why not."""
        say("it waits")
        self.told.append("begin")
        if self.why:
            raise Denied(self.why)

    def switch(self) -> str:
        """Note it."""
        self.told.append("switch")
        return "it moves"

    def status(self) -> str:
        """Say something."""
        return "canary: it flies"

    def measure(self, say: Callable[[str], None]) -> Measured:
        """Some figures are known, and one is not."""
        say("it lands")
        self.told.append("measure")
        unknown = {"rto_read": "nobody read"}
        return Measured(
            at="2026-11-22T03:00:00.000Z",
            acknowledged=900,
            rpo_records=7,
            unknown=unknown,
            left=["t at eu"],
            caveats=["it was windy"],
        )

    def abandon(self, reason: str) -> Measured:
        """Nothing is known."""
        self.told.append(f"abandon: {reason}")
        return Measured(at="2026-11-22T03:00:00.000Z", unknown={"rpo_records": reason})


@pytest.fixture
def watched(kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """A link with consent to a canary, which is played."""
    assert kept.exists()
    (here / "environments.yaml").write_text(INVENTORY, "utf-8")
    text = (here / "ours.md").read_text("utf-8").replace(WHERE, "").replace("    verify: [answers]\n", "")
    (here / "ours.md").write_text(text, "utf-8")
    played = Watched()
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda *_: played)
    return played


def fly(command: Command, monkeypatch: pytest.MonkeyPatch, answers: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    return command("drill", "ours.md#failover", *ENDS, *words)


def test_a_drill_of_one_environment_has_its_canary_and_words_of_its_own(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    text = Path("ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    Path("ours.md").write_text(text, "utf-8")
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr("runbook.cli.commands.drill._canary", lambda _, *ends: asked.append(ends) or watched)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    ended = command("drill", "ours.md#failover", "--env", "eu", *words)
    assert ended.code == 0
    assert asked == [("", "eu")]
    for told in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert "RPO RECORDS: of 900 acknowledged records, 7 can't be read" in told
        assert "beware: it was windy" in told
    assert "it moves" in ended.out


def test_the_consent_of_an_environment_is_that_of_no_link_and_the_other_way_round():
    both = (
        "environments: {eu: {kafka: {client.id: b}, canary: {rate: 7}}, us: {kafka: {client.id: d}}}\n"
        "mirrors: [{from: eu, to: us}]\n"
    )
    inventory = parse_inventory(both, "e.yaml", dt.date(2026, 11, 22))
    assert isinstance(drill._canary(inventory, "", "eu"), SingleClusterCanary)
    for ends, name in ((("eu", "us"), "eu→us"), (("", "us"), "us")):
        with pytest.raises(UsageError, match=f"does not allow one (in|on) {name}"):
            drill._canary(inventory, *ends)


def measured() -> list[Measured]:
    return [entry for entry in load(Path("d.jsonl")).entries if isinstance(entry, Measured)]


def test_the_canary_moves_with_the_step_that_says_so_and_its_figures_are_kept_and_shown(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    ended = fly(command, monkeypatch, "\n")
    assert ended.code == 0
    assert watched.told == ["begin", "switch", "measure"]
    assert [one.rpo_records for one in measured()] == [7]
    for told in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert "RPO RECORDS: of 900 records acknowledged at the source, the target lacks 7" in told
        assert "RTO READ: unknown: nobody read" in told
        assert "left behind: t at eu" in told


def played(*states: tuple[list[int], list[int]]) -> Callable[[Lookout, str, Tell], list[Sighting]]:
    """Looks at one broker after the other: who serves and who is gone; the last state stays."""
    left = [*states]

    def look(lookout: Lookout, stage: str, _: Tell) -> list[Sighting]:
        serving, gone = left.pop(0) if len(left) > 1 else left[0]
        [site] = lookout.sites
        seen = Sighting(stage=stage, at=f"look {len(left)}", took_ms=1, environment=site, cluster_id="c")
        return [replace(seen, serving=serving, gone=gone)]

    return look


WELL, BROKEN = ([1, 2, 3], []), ([1, 2], [3])


@pytest.mark.parametrize(
    ("looks", "begins"),
    [
        ((WELL,), "not seen lost: at none of 3 looks was a broker gone: brokers 1, 2, 3 were in service"),
        ((WELL, BROKEN), "not seen lost: broker 3 was gone at"),
        ((BROKEN, WELL), "not seen lost: at none of 3 looks was a broker gone"),
        ((WELL, BROKEN, WELL), "seen lost: broker 3 served at"),
    ],
)
def test_the_record_says_whether_the_tool_itself_saw_the_loss(
    command: Command,
    watched: Watched,
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    looks: tuple[Any, ...],
    begins: str,
):
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    (here / "ours.md").write_text(text, "utf-8")
    monkeypatch.setattr(Lookout, "look", played(*looks))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--allow-canary", "--no-terminal", "--by", "ada", "--record", "d.jsonl")
    ended = command("drill", "ours.md#failover", "--env", "eu", *words)
    assert watched.told[-1] == "measure"
    [caveats] = [one.caveats for one in measured()]
    assert caveats[:-1] == ["it was windy"]
    assert caveats[-1].startswith(begins)
    for told in (ended.out, command("procedure", "show", "d.jsonl").out):
        assert begins in " ".join(told.split())
        assert "seen" in told


def test_a_drill_without_a_canary_keeps_what_was_seen(
    command: Command, kept: Path, here: Path, monkeypatch: pytest.MonkeyPatch
):
    assert kept.exists()
    (here / "environments.yaml").write_text(ALONE, "utf-8")
    text = (here / "ours.md").read_text("utf-8").replace("loses: source", "loses: broker")
    text = text.replace(WHERE, "").replace("    verify: [answers]\n", "")
    (here / "ours.md").write_text(text, "utf-8")
    monkeypatch.setattr(Lookout, "look", played(WELL, BROKEN, WELL))
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    words = ("--no-terminal", "--by", "ada", "--record", "d.jsonl")
    assert command("drill", "ours.md#failover", "--env", "us", *words).code == 0
    [told] = measured()
    assert told.rpo_records is None
    assert told.caveats[0].startswith("seen lost: broker 3")
    assert "no canary measured them" in command("procedure", "show", "d.jsonl").out


def test_a_procedure_that_declares_no_loss_is_not_drilled(run: Command, here: Path):
    text = (here / "ours.md").read_text("utf-8")
    (here / "ours.md").write_text(text.replace("loses: source\n", ""), "utf-8")
    ended = run([], "drill", "ours.md#failover", *ENDS)
    assert ended.code == 2
    assert "add loses: broker, rack or source" in ended.err
    assert "runbook procedure walk ours#failover" in ended.err


def test_the_loss_of_a_source_is_not_drilled_in_one_environment(run: Command):
    ended = run([], "drill", "ours.md#failover", "--env", "us")
    assert ended.code == 2
    assert "--env SOURCE --to TARGET" in ended.err


def test_a_rehearsal_looks_for_no_loss(run: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Lookout, "look", lambda *_: pytest.fail("nothing can be lost in kept facts"))
    run([""], "drill", "ours.md#failover", *ENDS, "--record", "d.jsonl")
    assert measured() == []


DRILLED = """facts: {drill: {probe: drill, with: {procedures: [ours/failover]}}}
expect: {each: drill, that: drill.completed}
"""


def test_lint_refuses_a_drill_that_proves_nothing(command: Command, kept: Path, here: Path):
    assert kept.exists()
    text = (here / "ours.md").read_text("utf-8").replace("loses: source\n", "")
    (here / "ours.md").write_text(text + check_text(DRILLED, "drilled"), "utf-8")
    ended = command("lint", "ours.md")
    assert ended.code == 2
    told = " ".join(ended.out.split())
    assert "ours/failover does not declare what a drill of it loses" in told
    assert "add loses: broker, rack or source to the block of ours/failover" in told
    assert "ours/drilled judges the probe drill itself, and would pass where nothing was lost" in told
    assert "view: proved_drill" in told


def test_a_step_that_is_skipped_moves_nothing(command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch):
    assert fly(command, monkeypatch, "s\nnot today\n").code == 1
    assert watched.told == ["begin", "measure"]


def test_a_pause_ends_the_canary_and_the_figures_with_it(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    assert fly(command, monkeypatch, "p\n").code == 3
    assert watched.told == ["begin", "abandon: the drill was paused, which ends the canary"]
    assert [one.rpo_records for one in measured()] == [None]


def test_given_up_it_tells_what_it_knows(command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch):
    assert fly(command, monkeypatch, "q\nenough\n").code == 1
    assert watched.told == ["begin", "measure"]


def test_a_canary_that_can_not_fly_ends_the_drill_before_it_begins(
    command: Command, watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    watched.why = "the canary can't write at eu: it needs Create"
    ended = fly(command, monkeypatch, "\n")
    assert ended.code == 2
    assert "or drill without --allow-canary" in ended.err
    assert not Path("d.jsonl").exists()
