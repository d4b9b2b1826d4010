"""How a command that is offered means the environment that was looked at."""

from pathlib import Path

import pytest

from runbook.model.environment_option import environment_option


@pytest.mark.parametrize(
    ("inventory", "options"),
    [
        (None, "--env 'prod eu'"),
        ("", "--env 'prod eu'"),
        (Path("ours/a b.yaml"), "--env 'prod eu' -i 'ours/a b.yaml'"),
    ],
)
def test_a_command_names_the_inventory_only_where_one_was_given(inventory: Path | None, options: str) -> None:
    assert environment_option("prod eu", inventory) == options
