"""200 secrets, planted wherever one may stand, and not a byte of them in anything that leaves: seen to fail first."""

import json
import os
import random
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from runbook.plugins.catalog import catalog
from support.small_runbooks import FRONT, check_text

LEAKS = Path(__file__).parent / "leaks"
RUNBOOK = str(Path(sys.executable).with_name("runbook"))
PIECE = 7  # characters in a row that nothing but a secret of ours has
HOWS = ("rows", "gaps", "raise", "deny")
ALPHABETS = (
    string.ascii_letters + string.digits,
    string.ascii_letters + string.digits + "+/=-_",
    string.printable[:94],
    "äöüßéñ漢字🔑" + string.ascii_letters,
)


def secrets() -> list[str]:
    chance = random.Random(6)
    made = ["".join(chance.choices(ALPHABETS[i % 4], k=chance.randint(12, 48))) for i in range(200)]
    return [secret.replace("\\", "x").replace("'", "y") if i % 3 else secret for i, secret in enumerate(made)]


class Planted(Struct, frozen=True):
    """A folder with an inventory, a runbook, and the environment in which the secrets are."""

    folder: Path
    environment: dict[str, str]
    pieces: set[str]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    folder, environment = tmp_path_factory.mktemp("planted"), dict(os.environ)
    settings = []
    for i, secret in enumerate(secrets()):
        if i % 2:
            environment[f"PLANTED_{i}"] = secret
            settings.append(f"s{i}: {{env: PLANTED_{i}}}")
        else:
            file = folder / f"secret-{i}"
            file.write_text(secret, "utf-8")
            file.chmod(0o600)
            settings.append(f"s{i}: {{file: {file}}}")
    nested = f"{', '.join(settings[:50])}, deep: {{list: [{{{', '.join(settings[50:])}}}]}}"
    folder.joinpath("environments.yaml").write_text(f"environments: {{prod: {{leaky: {{{nested}}}}}}}\n", "utf-8")
    blocks = [check_text(BODY.replace("HOW", how), how) for how in HOWS]
    folder.joinpath("leak.md").write_text(FRONT + "\n".join(blocks), "utf-8")
    environment |= {"XDG_CONFIG_HOME": str(folder), "RUNBOOK_TRACE": "1"}
    return Planted(folder, environment, {piece for secret in secrets() for piece in pieces_of(secret)})


BODY = """
facts: {fact: {probe: leaky_fact, with: {how: HOW}}}
expect: {each: fact, that: size(fact.name) == 0, message: "{fact.text} {fact.words} {fact.settings} {fact.name}"}
"""


def pieces_of(secret: str) -> Iterator[str]:
    """Every run of characters of a secret, as it is and as JSON has it, and of its codes."""
    import base64
    from urllib.parse import quote

    whole = base64.b64encode(secret.encode()).decode().rstrip("=")
    for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""), whole):
        dense = "".join(form.replace("\\", "").split())
        yield from (dense[i : i + PIECE] for i in range(len(dense) - PIECE + 1))


def found(planted: Planted, text: str) -> set[str]:
    """The pieces of secrets in a text, however it is broken into lines."""
    dense = "".join(text.replace("\\n", "").replace("\\", "").split())
    return {piece for i in range(len(dense) - PIECE + 1) if (piece := dense[i : i + PIECE]) in planted.pieces}


def runbook(planted: Planted, *arguments: str, **environment: str) -> str:
    """What a command writes, to both of its streams."""
    command = [RUNBOOK, *arguments, "--deadline", "60s"]
    done = subprocess.run(
        command,
        capture_output=True,
        cwd=planted.folder,
        env=planted.environment | environment,
        timeout=800,
        check=False,
    )
    assert done.returncode in (1, 3), done.stderr.decode()[-2000:]
    return (done.stdout + done.stderr).decode("utf-8", "replace")


VERBOSITIES = {
    "as it is": (),
    "in full": ("--full", "--rows", "all"),
    "in colour": ("--color", "always", "--rows", "3"),
}


@pytest.mark.parametrize("verbosity", VERBOSITIES)
@pytest.mark.parametrize("report", catalog("reports").names())
def test_no_report_shows_a_byte_of_a_planted_secret(planted: Planted, report: str, verbosity: str) -> None:
    bundle = planted.folder / "kept.json"
    if not bundle.exists():  # one look at the system; every report is of the same facts
        runbook(planted, "check", "leak.md", "--checks", str(LEAKS), "--save", str(bundle))
    output = runbook(
        planted,
        "check",
        "leak.md",
        "--checks",
        str(LEAKS),
        "--from",
        str(bundle),
        "-f",
        report,
        *VERBOSITIES[verbosity],
    )
    assert "hidden" in output
    assert found(planted, output) == set()


def test_no_bundle_result_or_live_report_holds_a_byte_of_a_planted_secret(planted: Planted, tmp_path: Path) -> None:
    bundle, store = tmp_path / "kept.json", tmp_path / "store"
    kept = ("--save", str(bundle), "--results", str(store), "-f", "json", "--full", "--rows", "all")
    output = runbook(planted, "check", "leak.md", "--checks", str(LEAKS), *kept)
    files = [bundle, *(file for file in store.rglob("*") if file.is_file())]
    assert len(files) >= 2
    for text in (output, *(file.read_text("utf-8") for file in files)):
        assert "hidden" in text
        assert found(planted, text) == set()


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("format_", ["console", "json"])
def test_what_a_single_probe_tells_holds_none(planted: Planted, how: str, format_: str) -> None:
    arguments = ("--checks", str(LEAKS), "--with", f"how={how}", "--limit", "0", "-f", format_)
    output = runbook(planted, "probe", "leaky_fact", *arguments) if how != "rows" else ""
    if how == "rows":
        command = [RUNBOOK, "probe", "leaky_fact", *arguments, "--deadline", "60s"]
        done = subprocess.run(
            command, capture_output=True, cwd=planted.folder, env=planted.environment, timeout=800, check=True
        )
        output = done.stdout.decode()
    assert "«hidden»" in output
    assert found(planted, output) == set()


def test_a_connection_that_fails_with_all_of_them_shows_none(planted: Planted) -> None:
    output = runbook(planted, "check", "leak.md", "--checks", str(LEAKS), "-f", "json", LEAKS_REFUSE="1")
    assert "refused: " in output
    assert found(planted, output) == set()


def test_what_debugging_tells_of_libraries_and_mistakes_holds_none(planted: Planted) -> None:
    output = runbook(planted, "--debug", "check", "leak.md", "--checks", str(LEAKS), "-f", "json")
    assert "[prod leaky] Traceback (most recent call last):" in output
    assert "leaky CRITICAL" in output
    assert "[prod leaky] leaky_fact took " in output
    assert "hidden" in output
    assert found(planted, output) == set()


def test_without_redaction_the_same_secrets_are_found(planted: Planted) -> None:
    output = runbook(planted, "check", "leak.md", "--checks", str(LEAKS), "-f", "json", "--rows", "all", LEAKS_OPEN="1")
    whole = ["".join(secret.replace("\\", "").split()) for secret in secrets()]
    dense = "".join(output.replace("\\", "").split())
    assert len(found(planted, output)) > 1000
    assert sum(secret in dense for secret in whole) >= 150
