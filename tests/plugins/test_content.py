from runbook.plugins.content import builtin_runbooks


def test_the_built_in_runbooks_are_found() -> None:
    assert (builtin_runbooks() / "ha.md").is_file()
