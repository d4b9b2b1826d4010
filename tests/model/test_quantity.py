import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import NewType

from runbook.model import quantity
from runbook.model.column import ENTITIES
from runbook.model.quantity import MEANINGS

QUANTITIES = {name: kind for name, kind in vars(quantity).items() if isinstance(kind, NewType)}


def test_every_quantity_says_what_it_means() -> None:
    assert {*QUANTITIES.values()} == {*MEANINGS}
    assert {meaning.entity for meaning in MEANINGS.values()} <= {None, *ENTITIES}


def test_a_type_checker_refuses_every_quantity_in_the_place_of_every_other(tmp_path: Path) -> None:
    lines = ["from typing import Annotated"]
    lines += [f"from runbook.model.{module} import *" for module in ("quantity", "row")]
    for name in QUANTITIES:
        lines += [f"class R{name}(Row):", f"    cell: Annotated[{name}, Cell('x')]"]
        lines += [f"def give_{name}() -> {name}: ..."]
    first = len(lines) + 1
    swaps = list(permutations(QUANTITIES, 2))
    lines += [f"R{into}(cell=give_{of}())" for into, of in swaps]
    lines += [f"R{name}(cell=give_{name}())" for name in QUANTITIES]
    script = tmp_path / "swaps.py"
    script.write_text("\n".join(lines))
    options = ["--config-file=", "--follow-imports=silent", f"--cache-dir={tmp_path}/cache", "--no-error-summary"]
    options += ["--disable-error-code=empty-body"]
    command = [sys.executable, "-m", "mypy", *options, script]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = {int(line.split(":")[1]) for line in found.stdout.splitlines() if "[arg-type]" in line}
    assert refused == set(range(first, first + len(swaps))), found.stdout[:2000] + found.stderr
