"""The bridge to mkdocs, named under `hooks:` in mkdocs.yml: adds the generated pages to the site.

Settings, under `extra: runbook:`

- `site_data`: the folder that holds `results/` (a results store) and `scorecard/`; default `site-data`. The
  environment variable RUNBOOK_SITE_DATA wins over it.
- `stale_after_days`: the age above which a result is marked as old; default 8, a week and a day of grace.
- `project`: whether the runbooks are those of the project in force (`run.sources.project`), not of the folder beside.
- `shipped`: pages that came along with the tool; what they lead to and this site does not have is named without a link.
"""

import logging
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from runbook.model.errors import UsageError
from runbook.publish.block_links import with_block_links
from runbook.publish.build import FOR_A_FOLDER
from runbook.publish.compact import compact, drop_unused
from runbook.publish.content_policy import scripts_of_theme, unknown_scripts, with_policy
from runbook.publish.folds import with_folds
from runbook.publish.navigation import expand, title_of
from runbook.publish.notebook import cache_folder, slim
from runbook.publish.pseudonyms import KEY, key_of
from runbook.publish.repository_links import of_site, without_dead_links
from runbook.publish.site import SiteRunbooks, in_folder, make_site, of_project
from runbook.run.sources.project import find_project

NOTEBOOKS = "mkdocs-jupyter"
_WORKER = "scripts/iframe-worker.js"
_DIALOG = 'data-md-component="search" role="dialog"'
_TWICE = re.compile(r"<title>([^<]+) - \1</title>")  # of a first page that is called as its site is
_WITHOUT_NAMES = "Names of hosts, topics, groups, principals and the like are replaced on this site."
_LOG = logging.getLogger("mkdocs.plugins.runbook")  # below the logger that MkDocs shows
_BLOCKS = "blocks"  # below `extra: runbook:`, where each block is: what one event leaves for another
_DATA = "data"  # below the same: where the data is, if notebooks are led elsewhere
_serving = False
"""Whether pages are built for `mkdocs serve`, which adds a script of its own to each; MkDocs tells it at the start."""


def on_startup(*, command: str, dirty: bool) -> None:  # noqa: ARG001 - mkdocs passes both
    """Remember for whom pages are built."""
    global _serving  # noqa: PLW0603 - hooks are functions of a module; no other place outlives one event
    _serving = command == "serve"


@event_priority(50)  # before the theme's plugin for offline reading looks whether it is wanted
def on_config(config: MkDocsConfig) -> None:
    """Refuse settings under which the generated pages would not work; turn on offline reading where asked to.

    Raises:
        PluginError: pages would become folders, and links between files would break.
    """
    if config.use_directory_urls:
        raise PluginError("set use_directory_urls: false in mkdocs.yml: the site must open from a folder")
    if os.environ.get(FOR_A_FOLDER) and (offline := config.plugins.get("material/offline")):
        offline.config["enabled"] = True
        config.extra["polyfills"] = [_WORKER]  # ours, instead of the one that the plugin would fetch from elsewhere
    config.extra.setdefault("homepage", "index.html")  # the theme's logo leads to a folder, which no bucket shows
    if NOTEBOOKS in config.plugins:
        data = _data(config)
        if os.environ.get(KEY):
            config.extra.setdefault("runbook", {})[_DATA] = str(data)
            data = Path(os.devnull)  # what notebooks print is not looked through: without names they show a sample
        os.environ["RUNBOOK_SITE_DATA"] = str(data)  # notebooks read what the pages show
        config.plugins[NOTEBOOKS].config["cache_dir"] = str(cache_folder(_root(config), data))


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent


def _data(config: MkDocsConfig) -> Path:
    said: dict[str, str] = config.extra.get("runbook", {})
    return _root(config) / (
        said.get(_DATA) or os.environ.get("RUNBOOK_SITE_DATA") or said.get("site_data") or "site-data"
    )


def _runbooks(config: MkDocsConfig) -> SiteRunbooks:
    project = find_project() if config.extra.get("runbook", {}).get("project") else None
    return of_project(project) if project else in_folder(_root(config) / "runbooks")


def on_files(files: Files, *, config: MkDocsConfig) -> None:
    """Add the generated pages, and find the pages that the navigation names by pattern.

    Raises:
        PluginError: a runbook, the store or the scorecard can't be read; says where and why.
    """
    stale_after = timedelta(days=config.extra.get("runbook", {}).get("stale_after_days", 8))
    runbooks, key = _runbooks(config), os.environ.get(KEY)
    try:
        site = make_site(runbooks, _data(config), stale_after, datetime.now(UTC), key_of(Path(key)) if key else None)
        for page in site.pages:
            files.append(File.generated(config, page.path, content=page.text))
        config.extra.setdefault("runbook", {})[_BLOCKS] = site.blocks
        footer = [config.copyright, site.footer, _WITHOUT_NAMES if key else None]
        config.copyright = "<br>".join(filter(None, footer))  # the theme's place for it
    except UsageError as error:
        raise PluginError(str(error)) from error
    if config.nav:
        titles = {file.src_uri: title_of(file.src_uri, file.content_string) for file in files.documentation_pages()}
        config.nav = expand(config.nav, titles, {f"runbooks/{name}.md" for name in runbooks.own})


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn what leads somewhere in the repository into what leads there on the site."""
    foreign = page.file.src_uri in config.extra.get("runbook", {}).get("shipped", ())
    there = {file.src_uri for file in files.documentation_pages()}
    linked = of_site(markdown, page.file.src_uri, there)
    return without_dead_links(linked, page.file.src_uri, there) if foreign else linked


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs passes all
    """Make a rendered notebook small and quiet; fold parts of any other page, and link the blocks that it names."""
    if page.file.src_uri.endswith(".ipynb"):
        return slim(html)
    return with_block_links(with_folds(html), page.file.src_uri, config.extra["runbook"][_BLOCKS])


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Make the page small, say what the page may do, and name what the theme leaves without a name or names twice."""
    named = _TWICE.sub(r"<title>\1</title>", output, count=1)
    small = compact(named).replace(_DIALOG, f'{_DIALOG} aria-label="Search"')
    return small if _serving else _fenced(small, page.file.src_uri, config)


def on_post_template(output: str, *, template_name: str, config: MkDocsConfig) -> str:
    """Say what a page that comes from the theme alone, such as that of a missing address, may do."""
    return _fenced(output, template_name, config) if template_name.endswith(".html") and not _serving else output


def _fenced(output: str, name: str, config: MkDocsConfig) -> str:
    known = scripts_of_theme(tuple(config.theme.dirs))
    for script in unknown_scripts(output, known):
        _LOG.info("%s: a script that is none of the theme's will not run: %.60s", name, " ".join(script.split()))
    return with_policy(output, known)


def on_post_build(*, config: MkDocsConfig) -> None:
    """Leave out what no page of this site asks for."""
    drop_unused(Path(config.site_dir))
