"""Where the built-in runbooks are, and what a site is made of: in the wheel, or in an editable install's checkout."""

from pathlib import Path

from runbook.plugins.catalog import PACKAGE


def site_sources() -> Path:
    """The folder with what a site is built from: mkdocs.yml, and docs/ with pages, styles and scripts."""
    shipped = PACKAGE / "content" / "site"
    return shipped if shipped.is_dir() else PACKAGE.parents[1]


def builtin_runbooks() -> Path:
    """The folder of the built-in runbooks.

    A wheel ships them inside the package; hatchling's editable install leaves them in the checkout.
    """
    shipped = PACKAGE / "content" / "runbooks"
    return shipped if shipped.is_dir() else PACKAGE.parents[1] / "runbooks"
