"""Where the built-in runbooks are: in the wheel, or in the checkout of an editable install."""

from pathlib import Path

from runbook.plugins.catalog import PACKAGE


def builtin_runbooks() -> Path:
    """The folder of the built-in runbooks.

    A wheel ships them inside the package; hatchling's editable install leaves them in the checkout.
    """
    shipped = PACKAGE / "content" / "runbooks"
    return shipped if shipped.is_dir() else PACKAGE.parents[1] / "runbooks"
