"""`runbook verify`: whether the built-in runbooks, and the code that judges them, are as they were shipped."""

from runbook.cli.options import Format

EXAMPLES = ("runbook verify", "runbook verify --format json")


def command(
    format_: Format = "console",
) -> int:
    """Say of the built-in runbooks, and of the code, whether they are as they were shipped.

    Compares every file with the digest that came in the wheel. Results carry the digest of their runbook too, so that
    a verdict of long ago can be traced to its text. Contacts nothing.

    Exit codes: 0 all is as shipped, 1 something is not, 3 nothing says how it was shipped, as in a checkout.
    """
    from runbook.show.catalogs import refuse_unknown
    from runbook.show.integrity import exit_code, integrity, written

    refuse_unknown("--format", format_, ("console", "json"))
    found = integrity()
    print(written(found, format_))
    return exit_code(found)
