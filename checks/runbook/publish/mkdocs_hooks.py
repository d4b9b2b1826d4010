"""The bridge to mkdocs, named under `hooks:` in mkdocs.yml: adds the generated pages to the site.

Settings, under `extra: runbook:`

- `site_data`: the folder that holds `results/` (a results store) and `scorecard/`; default `site-data`. The
  environment variable RUNBOOK_SITE_DATA wins over it.
- `stale_after_days`: the age above which a result is marked as old; default 8, a week and a day of grace.
"""

import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from runbook.engine.errors import UsageError
from runbook.publish.navigation import expand
from runbook.publish.site import pages

_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)


def on_config(config: MkDocsConfig) -> None:
    """Refuse settings under which the generated pages would not work.

    Raises:
        PluginError: pages would become folders, and links between files would break.
    """
    if config.use_directory_urls:
        raise PluginError("set use_directory_urls: false in mkdocs.yml: the site must open from a folder")


def on_files(files: Files, *, config: MkDocsConfig) -> None:
    """Add the generated pages, and find the pages that the navigation names by pattern.

    Raises:
        PluginError: a runbook, the store or the scorecard can't be read; says where and why.
    """
    root = Path(config.config_file_path).parent
    settings = config.extra.get("runbook", {})
    data = root / os.environ.get("RUNBOOK_SITE_DATA", settings.get("site_data", "site-data"))
    stale_after = timedelta(days=settings.get("stale_after_days", 8))
    try:
        for page in pages(root / "runbooks", data, stale_after, datetime.now(UTC)):
            files.append(File.generated(config, page.path, content=page.text))
    except UsageError as error:
        raise PluginError(str(error)) from error
    if config.nav:
        config.nav = expand(config.nav, [file.src_uri for file in files.documentation_pages()])


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs passes all
    """Drop the scripts that come with a rendered notebook: they would fetch formulas and diagrams from elsewhere."""
    return _SCRIPT.sub("", html) if page.file.src_uri.endswith(".ipynb") else html
