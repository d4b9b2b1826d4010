"""`runbook verify`: whether the built-in runbooks, and the code that judges them, are as they were shipped."""

from runbook.cli.options import Format

EXAMPLES = ("runbook verify", "runbook verify --format json")


def command(
    format_: Format = "console",
) -> int:
    """Check that the built-in runbooks and the code are unchanged since they were shipped.

    Compares every file with its digest in the wheel. Results have the digest of their runbook too, so an old verdict
    can be traced to its text. Contacts no system.

    Exit codes: 0 all is as shipped, 1 something is not, 3 there are no digests, as in a checkout.
    """
    from runbook.show.catalogs import refuse_unknown
    from runbook.show.integrity import exit_code, integrity, written

    refuse_unknown("--format", format_, ("console", "json"))
    found = integrity()
    print(written(found, format_))
    return exit_code(found)
