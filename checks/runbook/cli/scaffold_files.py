"""Write the files with which a knowledge base of one's own begins."""

from collections.abc import Mapping
from pathlib import Path

from runbook.model.errors import UsageError
from runbook.run.sources.project import around

SCAFFOLD = Path(__file__).parent / "scaffold"
INVENTORY = "environments.yaml"
"""The file of the scaffold that may be there already: whoever has tried the tool has one."""
_SHIPPED_AS = ".txt"  # so that no tool takes the probes in there for modules of this package


def lay_out(folder: Path, instead: Mapping[str, str] | None = None) -> list[Path]:
    """Copy the scaffold.

    Args:
        folder: where to; made if there is none.
        instead: file -> what to write there in place of what the scaffold has.

    Returns:
        The files written: an inventory that is there stays as it is.

    Raises:
        UsageError: a file but the inventory is there already, the folder is within a project, or a file can't be
            written. In all but the last case nothing is written.
    """
    if project := around(folder.absolute()):
        remedy = f"choose a folder outside of {project}; for one more runbook, write {project / 'runbooks' / 'NAME.md'}"
        raise UsageError(f"nothing written, as {folder} is within the project in {project}\n    {remedy}")
    if blocked := next((path for path in (folder, *folder.absolute().parents) if path.is_file()), None):
        raise UsageError(f"{blocked} is a file; choose a folder: runbook init DIR")
    files = {folder / _name(file): file for file in sorted(SCAFFOLD.rglob("*")) if file.is_file()}
    files = {file: template for file, template in files.items() if file != folder / INVENTORY or not file.exists()}
    there = [str(file) for file in files if file.exists()]
    if there:
        remedy = "choose another folder: runbook init DIR"
        raise UsageError(f"nothing written, as this is there already: {', '.join(there)}\n    {remedy}")
    for file, template in files.items():
        text = (instead or {}).get(str(file.relative_to(folder)))
        write_new(file, template.read_text(encoding="utf-8") if text is None else text)
    return list(files)


def write_new(file: Path, text: str) -> None:
    """Write a file that is not there yet.

    Raises:
        UsageError: it can't be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
        if file.suffix == ".sh":
            file.chmod(file.stat().st_mode | 0o111)  # a wheel keeps no such bits of what it ships
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}; choose a folder you may write to") from error


def _name(template: Path) -> Path:
    inside = template.relative_to(SCAFFOLD)
    return inside.with_name(inside.name.removesuffix(_SHIPPED_AS))
