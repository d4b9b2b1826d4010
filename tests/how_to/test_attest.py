"""What the page on attestations says is so."""

import datetime as dt
import json
import subprocess
from pathlib import Path

from runbook.formats.attestations import LONGEST, Attestation, parse_attestations
from runbook.model.block import Check
from runbook.parse.inventory import parse_inventory
from runbook.parse.runbook import LocatedBlock
from runbook.parse.schema import convert
from runbook.parse.yaml_document import read_yaml
from support.documented import ROOT, titled
from support.driven_drill import RUNBOOK
from support.small_runbooks import FRONT

PAGE = "docs/how-to/attest.md"
TEXT = (ROOT / PAGE).read_text("utf-8")


def test_the_sample_is_read_and_has_every_field() -> None:
    found = parse_attestations(titled(PAGE, "attestations.yaml"), "attestations.yaml")
    assert len(found) > 1
    assert all(f"    {name}: " in TEXT or f"- {name}: " in TEXT for name in Attestation.__struct_fields__)
    assert f"{LONGEST.days} days" in TEXT


def test_the_inventory_names_the_file() -> None:
    inventory = parse_inventory(titled(PAGE, "environments.yaml"), "environments.yaml", dt.date(2026, 11, 22))
    assert inventory.targets["prod-eu"].connections["records"]["attestations"].endswith("attestations.yaml")


def test_the_check_asks_for_an_id_of_the_sample() -> None:
    block = TEXT.partition("```yaml {.check}\n")[2].partition("```")[0]
    placed = LocatedBlock(convert(read_yaml(block, PAGE), Check, "check"), read_yaml(block, PAGE), "ours")
    assert isinstance(placed.block, Check)
    [request] = placed.block.facts.values()
    ids = [attestation.id for attestation in parse_attestations(titled(PAGE, "attestations.yaml"), "attestations.yaml")]
    assert set(request.with_["ids"]) <= set(ids)


def test_a_pass_says_in_words_that_people_attest_it(tmp_path: Path) -> None:
    today = dt.datetime.now(dt.UTC).date()
    file = tmp_path / "attestations.yaml"
    file.write_text(
        "attestations:\n- {id: contact-list-reviewed, statement: They answered., by: Ada, evidence: a ticket,\n"
        f"   at: {today}, expires: {today}}}\n",
        "utf-8",
    )
    block = TEXT.partition("```yaml {.check}\n")[2].partition("```")[0]
    (tmp_path / "ours.md").write_text(f"{FRONT}```yaml {{.check}}\n{block}```\n", "utf-8")
    inventory = tmp_path / "environments.yaml"
    inventory.write_text(f"environments: {{prod: {{records: {{attestations: {file}}}}}}}\n", "utf-8")
    command = [RUNBOOK, "check", "ours.md", "-i", str(inventory), "--format", "json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=800, check=True)
    [result] = json.loads(done.stdout)["results"]
    assert (result["outcome"], result["proof"]) == ("pass", "attested")
    assert result["reason"].endswith("as people attest: this tool did not see it")
