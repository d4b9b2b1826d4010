"""Templates of Helm charts that were not rendered: of each chart they are one thing that is not read."""

from collections.abc import Callable, Iterable
from pathlib import Path
from shlex import quote
from typing import Final

from msgspec.structs import replace

from runbook.answers.manifests import UnreadManifest
from runbook.model.errors import FilePosition

_CHART: Final = "Chart.yaml"
_TEMPLATES: Final = "templates"


def by_chart(lost: Iterable[UnreadManifest], is_file: Callable[[Path], bool]) -> list[UnreadManifest]:
    """What can't be read, of which templates of a chart stand at the chart, with one remedy for all of them.

    Args:
        lost: what can't be read.
        is_file: whether there is a file.
    """
    listed = [*lost]
    files = {each.place.file for each in listed if each.template}
    charts = {file: chart for file in files if (chart := _chart_of(Path(file), is_file))}
    templates = {chart: sum(chart == other for other in charts.values()) for chart in {*charts.values()}}
    return [
        _of_chart(each, charts[each.place.file], templates) if each.place.file in charts else each for each in listed
    ]


def _chart_of(file: Path, is_file: Callable[[Path], bool]) -> str:
    """The folder of the chart that a file is a template of; empty for none."""
    above = [folder.parent for folder in file.parents if folder.name == _TEMPLATES]
    return next((str(chart) for chart in above if is_file(chart / _CHART)), "")


def _of_chart(one: UnreadManifest, chart: str, templates: dict[str, int]) -> UnreadManifest:
    count = "1 template" if templates[chart] == 1 else f"{templates[chart]} templates"
    why = (
        f"{chart}: {count} of this Helm chart not read, as they are not rendered: "
        f"helm template {quote(chart)} | runbook check kubernetes -, or leave them out: "
        f"--exclude {quote(str(Path(chart) / _TEMPLATES))}"
    )
    return replace(one, place=FilePosition(str(Path(chart) / _CHART)), why=why, chart=chart)
