"""`list`, `find`, `env` and `probe`: what there is, where help is, what can be seen."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runbook.model.fact import Fact
from runbook.show.probe_rows import as_json, left_out


@pytest.fixture
def deaf(here: Path) -> Iterator[Path]:
    """An inventory whose cluster refuses connections: its port is taken and nobody listens there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        inventory = here / "deaf.yaml"
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        inventory.write_text(f"environments: {{deaf: {{kafka: {{bootstrap.servers: '{address}'}}}}}}")
        yield inventory


@pytest.mark.usefixtures("knowledge")
def test_list_names_runbooks_and_their_blocks(command: Any):
    ended = command("list", "runbooks/first.md")
    assert ended.code == 0
    head, entry = ended.out.splitlines()
    assert head.startswith("first 0.1.0  What our team expects")
    assert entry.split()[:3] == ["check", "high", "first/enough-brokers"]


@pytest.mark.usefixtures("knowledge")
def test_list_without_names_has_a_line_for_each_runbook(command: Any):
    ended = command("list")
    heads, *lines = [line.split() for line in ended.out.splitlines()]
    assert heads == ["runbook", "checks", "symptoms", "causes", "procedures", "title"]
    counted = {line[0]: line[1:5] for line in lines}
    assert counted["first"] == ["1", "0", "0", "0"]
    entries = json.loads(command("list", "ha", "-o", "json").out)
    assert counted["ha"][0] == str(sum(entry["kind"] == "check" and not entry.get("gate") for entry in entries))
    assert "runbook list NAME" in ended.err
    assert "first/enough-brokers" in command("list", "--all").out


def test_list_tells_checks_for_gates_from_those_of_each_run(command: Any):
    lines = [line.split() for line in command("list", "ha").out.splitlines()]
    kinds = {words[2]: words[0] for words in lines if len(words) > 2}
    assert kinds["ha/the-new-controller-has-a-vote"] == "gate"
    assert kinds["ha/every-broker-answers"] == "check"


@pytest.mark.usefixtures("knowledge")
def test_list_can_be_narrowed_to_checks_of_a_severity_and_an_objective(command: Any):
    for narrowed in (("--severity", "critical"), ("--objective", "latency")):
        assert command("list", "runbooks/first.md", *narrowed).out == "nothing of that kind\n"
    (entry,) = json.loads(command("list", "runbooks/first.md", "--severity", "high", "--format", "json").out)
    assert entry["objectives"] == ["availability", "durability"]


@pytest.mark.parametrize("room", ["probes", "views"])
def test_list_knows_every_probe_and_view_by_its_file(command: Any, room: str):
    from runbook.plugins.catalog import catalog

    listed = json.loads(command("list", f"--{room}", "--format", "json").out)
    assert [entry["name"] for entry in listed] == catalog(room).names()
    assert all(entry["title"] for entry in listed)


@pytest.mark.usefixtures("knowledge")
@pytest.mark.parametrize("named", [(), ("odd",)])
def test_a_view_file_that_declares_no_view_is_named(command: Any, named: tuple[str, ...]):
    Path("checks/views/odd.py").write_text('"""Nothing."""\n')
    ended = command("list", "--views", *named, "--checks", "checks")
    assert ended.code == 2
    assert "odd must define VIEW" in ended.err


def test_the_columns_and_parameters_of_a_named_probe_or_view_are_told_without_an_environment(command: Any, here: Path):
    assert not list(here.glob("environments.yaml"))
    topic = command("list", "--probes", "kafka_topic", "kafka_log_dir")
    assert topic.code == 0
    assert "  replication_factor" in topic.out
    assert "asked of kafka" in topic.out
    assert "  internal " in topic.out[topic.out.index("  WITH ") :]
    assert "\n\nkafka_log_dir  One row per broker" in topic.out
    [loss] = json.loads(command("list", "--views", "broker_loss", "-o", "json").out)
    assert {"name": "refusing_writes", "type": "int"}.items() <= loss["columns"][6].items()


def test_how_a_waiver_is_written_is_found_by_its_name(command: Any):
    assert "waiver  A dated exception" in command("list", "--blocks", "waiver").out
    assert "runbook list --blocks waiver" in command("find", "waiver").out
    for word in ("waiver", "waivers"):
        assert "how to write such: runbook list --blocks waiver" in command("show", word).err


def test_where_nothing_is_found_three_near_places_are_shown_and_the_code_says_so(command: Any):
    ended = command("find", "quota elections certificates zookeeper throttle snapshots voters racks")
    assert ended.code == 4
    assert ended.out.startswith("no match; nearest:\n")
    assert ended.out.count("    runbook show ") == 3


def test_the_fields_of_a_block_and_of_its_parts_are_told(command: Any):
    listed = command("list", "--blocks")
    assert [line.split()[0] for line in listed.out.splitlines()][:3] == ["front-matter", "check", "cause"]
    check = command("list", "--blocks", "check").out
    for card in ("check  A `{.check}` block", "\n\nExpectation  What must be true", "\n\nparameter  A value"):
        assert check.count(card) == 1 or check.startswith(card)
    assert " needed  what must be true." in check
    assert [field["name"] for field in json.loads(command("list", "--blocks", "effect", "-o", "json").out)] == [
        "effect",
        "FactRequest",
        "Statement",
        "ViewRequest",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--probes", "kafka_topik"), "There is no probe kafka_topik: did you mean kafka_topic"),
        (("--views", "zzz"), "There is no view zzz: runbook list --views names all "),
        (("--blocks", "chekc"), "There is no kind of block chekc: did you mean check?"),
        (("probes", "kafka_topic"), "probes is an option here: runbook list --probes kafka_topic"),
        (("--probes", "--blocks"), "--probes, --views and --blocks: choose one of them"),
    ],
)
def test_a_name_that_can_not_be_listed_is_told_what_was_meant(command: Any, words: tuple[str, ...], expected: str):
    ended = command("list", *words)
    assert (ended.code, ended.out) == (2, "")
    assert expected in ended.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("list", "--severity", "hi"),
        ("list", "--objective", "speed"),
        ("list", "--format", "xml"),
        ("list", "--probes", "--views"),
        ("list", "nowhere.md"),
        ("find", "x", "--in", "nowhere.md"),
        ("env",),
        ("probe", "kafka_topics"),
        ("probe", "kafka_topic", "--with", "internal"),
        ("probe", "kafka_topic", "--with", "interna=1"),
        ("probe", "kafka_topic", "--with", "internal=7"),
        ("probe", "kafka_topic", "--format", "csv"),
        ("probe", "--checks", "nowhere"),
    ],
)
def test_mistakes_of_usage_end_with_2_and_a_sentence(command: Any, arguments: tuple[str, ...]):
    ended = command(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.strip()
    assert "Traceback" not in ended.err


@pytest.mark.usefixtures("knowledge")
def test_find_shows_the_symptom_then_where_and_what_to_run(command: Any):
    ended = command("find", "OurKafkaBrokerDown", "--in", "runbooks/first.md")
    assert ended.code == 0
    show, check = "runbook show first", "runbook check first"
    assert ended.out.splitlines()[-1] == f"    {show} · {check}"
    ended = command("find", "enough", "brokers", "--in", "runbooks/first.md")
    assert f"    {show}#enough-brokers · {check}#enough-brokers" in ended.out.splitlines()
    ended = command("find", "restart", "all", "brokers", "one", "after", "another")
    assert "    runbook show ha#rolling-restart" in ended.out.splitlines()  # nobody walks what they have not read
    ended = command("find", "NotEnoughReplicas")
    assert ended.out.splitlines()[:2] == [
        "Producers get NotEnoughReplicas (under min.insync.replicas)  (ha: error NOT_ENOUGH_REPLICAS)",
        "    runbook show ha#writers-are-refused · runbook check ha#writers-are-refused",
    ]


def test_find_names_the_cause_that_an_error_points_to(command: Any):
    ended = command(
        "find", "InconsistentGroupProtocolException: The group member's supported protocols are incompatible"
    )
    assert ended.out.splitlines()[1].startswith("    likely  Members of one group have no assignor in common. ")


@pytest.mark.parametrize(
    ("inventory", "option"),
    [
        ("{a: {}, b: {}}", " --env '*'"),
        ("{a: {}, b: {}}\ndefault: a", ""),
        ("{a: {}}", ""),
        ("[]", ""),
    ],
)
def test_the_command_that_find_shows_runs_as_it_is_pasted(command: Any, here: Path, inventory: str, option: str):
    (here / "environments.yaml").write_text(f"environments: {inventory}\n")
    shown = command("find", "NotEnoughReplicas").out.splitlines()[1]
    assert shown.endswith(f" · runbook check ha#writers-are-refused{option}")


def test_find_says_when_nothing_is_found(command: Any):
    ended = command("find", "xyzzy", "plugh")
    assert ended.code == 4
    assert "nothing found: try fewer words" in ended.out
    assert "nothing found: try another word" in command("find", "xyzzy").out


@pytest.mark.parametrize(
    ("text", "meant"),
    [("NotEnoghReplicas", "NOT_ENOUGH_REPLICAS"), ("KafkaBrokrDwn", "KafkaBrokerDown")],
)
def test_find_names_what_may_have_been_meant_when_nothing_is_found(command: Any, text: str, meant: str):
    ended = command("find", text)
    assert ended.code == 4
    assert f"nothing found: did you mean {meant}? Else try another word" in ended.out


def test_find_knows_great_numbers_and_is_not_led_astray_by_those_of_the_day(command: Any):
    assert "os-hardware#brokers-may-map-many-files" in command("find", "262144").out
    first, without = (
        command("find", *words).out.splitlines()[0] for words in (["broker", "1001", "down"], ["broker", "down"])
    )
    assert first == without


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("error code 19", "Producers get NotEnoughReplicas"),
        ("errorCode=7", "Producers are slow (latency is high) or time out"),
        ("exit 137", "A broker restarts again and again (CrashLoopBackOff)"),
        ("last state Terminated, exit code 137", "A broker restarts again and again (CrashLoopBackOff)"),
        ("URP", "Partitions are under-replicated"),
        ("[ReplicaFetcher replicaId=1, leaderId=2] Error in response for fetch request", "A broker is down"),
        ("Preparing to rebalance group billing in state PreparingRebalance", "Rebalance storm: a consumer group"),
        ("Found a corrupted index file corresponding to log file", "A broker that crashed takes long to start"),
    ],
)
def test_find_knows_lines_of_the_night(command: Any, text: str, first: str):
    assert command("find", text).out.startswith(first)


def test_find_goes_by_both_names_of_a_line_where_somebody_has_them_together(command: Any):
    found = command("find", "OutOfMemoryError: Map failed").out
    assert found.startswith("A broker exits with Map failed")
    assert "the-heap-runs-full" not in found


def test_env_lists_what_the_inventory_says_without_asking(command: Any, knowledge: Path):
    file = knowledge / "environments.yaml"
    said = file.read_text("utf-8")
    file.write_text(
        said.replace("    # absent:", "    absent:").replace("    #   kubernetes:", "      kubernetes:"), "utf-8"
    )
    ended = command("env", "--offline")
    assert ended.code == 0
    assert "dev  tier=dev  objectives: durability > availability > latency > throughput" in ended.out
    assert "given    kafka" in ended.out
    assert "absent   kubernetes" in ended.out


def test_env_says_which_waivers_and_parameters_name_nothing_and_which_expired(command: Any, here: Path):
    waiver = "{check: %s, owner: me, reason: long enough, expires: 2026-01-31}"
    waivers = f"[{waiver % 'ha/brokers-agre'}, {waiver % 'ha/brokers-agree'}]"
    inventory = here / "environments.yaml"
    inventory.write_text(f"environments: {{prod: {{params: {{ha/x: {{a: 1}}}}, waivers: {waivers}}}}}")
    output = command("env", "--offline").out
    for said in ('no check "ha/x"', 'names no check: "ha/brokers-agre"', "for ha/brokers-agree expired on 2026-01-31"):
        assert output.count(said) == 1
    mistakes = json.loads(command("env", "--offline", "-o", "json").out)["mistakes"]
    assert min(mistake["message"] for mistake in mistakes) == 'no check "ha/x"'
    assert len(mistakes) == 4


def test_env_says_which_connection_fails_and_why(command: Any, deaf: Path):
    ended = command("env", "--inventory", str(deaf), "--deadline", "2s")
    assert ended.code == 3
    assert "FAILS    kafka" in ended.out
    assert "look at                   is the cluster up? Are the addresses in bootstrap.servers" in ended.out
    assert "runbook show docs/how-to/inventory.md" in " ".join(ended.out.split())
    assert "waits    kafka_entry        it tries something" in ended.out
    assert "web_entry" not in ended.out  # nor has it what that one is put to


def test_probe_shows_types_and_what_is_missing(command: Any, deaf: Path):
    ended = command("probe", "kafka_topic", "--inventory", str(deaf), "--deadline", "2s")
    assert ended.code == 3
    assert "deaf: 0 rows, NOT complete" in ended.out
    assert "replication_factor" in ended.out
    assert "  missing: " in ended.out
    facts = json.loads(command("probe", "kafka_topic", "-i", str(deaf), "--deadline", "2s", "--format", "json").out)
    assert facts["deaf"]["gaps"]


def test_probe_of_what_is_declared_absent_does_not_apply(command: Any, here: Path):
    (here / "environments.yaml").write_text("environments: {files: {absent: {kafka: only files here}}}")
    ended = command("probe", "kafka_topic")
    assert ended.code == 4
    assert "not applicable: files has no kafka: only files here" in ended.out


@pytest.mark.usefixtures("knowledge")
def test_probe_without_a_name_lists_what_there_is_with_ones_own(command: Any):
    assert "kafka_advertised_host" not in command("probe").out
    assert "kafka_advertised_host" in command("probe", "--checks", "checks").out


def test_what_a_probe_gives_stands_in_one_column(command: Any):
    lines = command("probe").out.splitlines()
    longest = max(lines, key=lambda line: len(line.partition(" ")[0]))
    wide = len(longest.partition(" ")[0])
    assert {line[wide] for line in lines} == {" "}
    assert all(line[wide + 1] != " " for line in lines)


def test_json_is_whole_unless_a_number_of_rows_is_named():
    facts = {"prod": Fact("kafka_topic", {"topic": ["a", "b", "c"]})}
    assert json.loads(as_json(facts, 0))["prod"]["columns"]["topic"] == ["a", "b", "c"]
    assert json.loads(as_json(facts, 1))["prod"]["columns"]["topic"] == ["a"]
    assert left_out(facts, 1) == "prod: … 2 more: --limit 0\n"
    assert left_out(facts, 0) == left_out(facts, 3) == ""


@pytest.mark.live
def test_probe_prints_the_rows_of_a_real_cluster(command: Any, lab_inventory: Path):
    ended = command("probe", "kafka_broker", "--inventory", str(lab_inventory), "--limit", "1")
    assert ended.code == 0
    assert "  - broker=1  rack=" in ended.out
    assert "more: --limit 0" in ended.out


@pytest.mark.live
def test_a_users_probe_runs_in_the_workers(command: Any, knowledge: Path, lab_inventory: Path):
    assert (knowledge / "checks/probes/kafka_advertised_host.py").exists()
    ended = command("probe", "kafka_advertised_host", "--checks", "checks", "--inventory", str(lab_inventory))
    assert ended.code == 0
    assert "by_name=false" in ended.out


@pytest.mark.live
def test_env_finds_everything_to_be_seen_in_the_lab(command: Any, lab_inventory: Path):
    ended = command("env", "--inventory", str(lab_inventory))
    assert ended.code == 0
    assert "works    kafka" in ended.out  # what is not allowed to try anything leaves no gap
    assert "waits    kafka_entry" in ended.out


@pytest.mark.live
@pytest.mark.usefixtures("knowledge")
def test_the_first_check_of_ones_own_passes_on_a_healthy_cluster(command: Any, lab_inventory: Path):
    ended = command("check", "runbooks/first.md", "--inventory", str(lab_inventory))
    assert ended.code == 0


def test_the_inputs_of_a_named_view_are_told_with_what_they_take(command: Any):
    shown = command("list", "--views", "mirrored_quota", "broker_loss").out
    assert ["OF", "FACT", "AT", "COLUMNS", "IT", "READS"] in [line.split() for line in shown.splitlines()]
    assert ["target", "kafka_quota", "target"] in [line.split()[:3] for line in shown.splitlines()]
    [loss] = json.loads(command("list", "--views", "broker_loss", "-o", "json").out)
    assert {name: taken["kind"] for name, taken in loss["inputs"].items()} == {
        "partition": "kafka_partition",
        "broker": "kafka_broker",
    }


def test_a_guess_by_words_says_that_no_runbook_lists_the_text(command: Any):
    assert command("find", "quota throttles clients zookeeper").out.startswith(
        "no runbook lists this text; pages that share its words:\n"
    )
    assert command("find", "NotEnoughReplicas").out.startswith("Producers get NotEnoughReplicas")


def test_the_help_tells_the_code_of_each_answer_and_the_site_has_the_same_words(command: Any):
    told = " ".join(command("find", "--help").out.split())
    assert "0 found, also where places only share words with the text" in told
    box, card = (Path(__file__).parents[2] / "docs" / "scripts" / name for name in ("find-box.js", "respond.js"))
    assert '"No runbook lists this text. Pages that share its words:"' in box.read_text("utf-8")
    assert 'found === "near" ? "Or nearest:" : found === "words" ? "Or one that shares words:"' in card.read_text(
        "utf-8"
    )


def test_a_symptom_that_no_check_tells_is_only_read(command: Any):
    found = command("find", "Unexpected exception in HandleResponseEvent")
    assert "runbook show error-handling#the-exception-below-has-the-reason\n" in found.out
    assert "runbook check" not in found.out
    ended = command("check", "error-handling#the-exception-below-has-the-reason")
    assert (ended.code, ended.out) == (2, "")
    assert "runbook show error-handling#the-exception-below-has-the-reason" in ended.err


def test_a_symptom_shows_the_vendors_command_before_its_causes(command: Any):
    shown = command("show", "consumers#consumers-fall-behind").out
    audit = shown.index("kafka-consumer-groups.sh --bootstrap-server HOST:PORT --describe --group GROUP")
    assert audit < shown.index("Possible cause 1") < shown.index("Shows itself as")
