"""Find probes, views, recoveries, connections, reports and metrics by their file names.

The name is the registration: `probes/kafka_topic.py` is the probe `kafka_topic`, the folder `connections/kafka/` the
connection `kafka`. Listing imports nothing; loading imports one module.
"""

import importlib
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from runbook.model.errors import CannotLook, UsageError, did_you_mean
from runbook.plugins.debugging import HINT
from runbook.plugins.guard import attempt

PACKAGE = Path(__file__).parents[1]
_LISTED = ("probes", "views")
"""Rooms of which `runbook list` tells the names."""
_ONE = {"recoveries": "recovery"}
"""Room → what one of its modules is called, where that is not the room's name without its last letter."""


class Catalog:
    """The modules of one room, and of the users' folders that were named for it."""

    def __init__(self, room: str) -> None:
        """Open the catalog of a room of this package, such as `probes`."""
        self.room = room
        self._files: dict[str, Path] = {}
        self._folders: list[Path] = []
        self._loaded: dict[str, ModuleType] = {}
        self._left_out: tuple[Path, str] | None = None
        self.add(PACKAGE.joinpath(*room.split(".")))

    def add(self, folder: Path) -> None:
        """Add the modules of one more folder; the user named it, so its code may be loaded.

        Raises:
            UsageError: a module of that name is there already.
        """
        folder = folder.resolve()
        self._folders.append(folder)
        packages = {file.parent.name: file for file in folder.glob("[a-z]*/__init__.py")}
        for name, file in sorted(({file.stem: file for file in folder.glob("[a-z]*.py")} | packages).items()):
            if self._files.get(name, file) != file:
                raise UsageError(f"{file} has the name of {self._files[name]}: rename one of them")
            self._files[name] = file

    def leave_out(self, folder: Path, remedy: str) -> None:
        """Remember a folder of which nothing is loaded, so that whoever asks for one of its modules hears why.

        Args:
            folder: it need not be there.
            remedy: what to do to have it loaded.
        """
        self._left_out = (folder, remedy)

    def names(self) -> list[str]:
        """Every name, in order; imports nothing."""
        return sorted(self._files)

    def of_users(self) -> dict[str, Path]:
        """The modules of users' folders: name → file; imports nothing."""
        return {name: file for name, file in sorted(self._files.items()) if not file.is_relative_to(PACKAGE)}

    def folders_of_users(self) -> list[Path]:
        """The users' folders that were named for it; they need not be there."""
        return [folder for folder in self._folders if not folder.is_relative_to(PACKAGE)]

    def instead_of(self, name: str) -> str:
        """What to do about a name that is not there: have the file loaded that has it, or write another."""
        listed = f"runbook list --{self.room}" if self.room in _LISTED else ""
        return self.left_out(name) or did_you_mean(name, self.names(), listed)

    def left_out(self, name: str) -> str:
        """What to do to have the file loaded that has a name, if it is in the folder that is left out; else ""."""
        folder, remedy = self._left_out or (Path(), "")
        files = (folder / f"{name}.py", folder / f"{name}/__init__.py") if remedy else ()
        return next((f"{file} is not loaded; {remedy}" for file in files if file.is_file()), "")

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def load(self, name: str) -> ModuleType:
        """Import one module.

        Raises:
            UsageError: there is none of that name, or it can't be imported.
        """
        if name not in self._files:
            kind = _ONE.get(self.room, self.room.removesuffix("s"))
            raise UsageError(f"no {kind} named {name}: {self.instead_of(name)}")
        if name not in self._loaded:
            self._loaded[name] = self._import(name)
        return self._loaded[name]

    def _import(self, name: str) -> ModuleType:
        file = self._files[name]
        if file.is_relative_to(PACKAGE):
            return importlib.import_module(f"runbook.{self.room}.{name}")
        spec = importlib.util.spec_from_file_location(f"runbook_user.{self.room}.{name}", file)
        if spec is None or spec.loader is None:
            raise UsageError(f"{file} is no Python module")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        load = spec.loader.exec_module
        failure = attempt(lambda: load(module))
        if isinstance(failure, CannotLook):
            del sys.modules[spec.name]
            raise UsageError(f"{file} can't be loaded: {failure} {HINT}")
        return module


CODE = "RUNBOOK_CHECKS"
"""The environment variable that names folders of users' code, as --checks does; started processes inherit it."""

_OF_USERS = ("connections", "probes", "recoveries", "views")


@cache
def catalog(room: str) -> Catalog:
    """The one catalog of a room in this process."""
    made = Catalog(room)
    for folder in filter(None, os.environ.get(CODE, "").split(os.pathsep) if room in _OF_USERS else ()):
        made.add(Path(folder) / room)
    return made


def add_user_checks(folder: Path) -> None:
    """Add a user's `checks/` folder: `probes/`, `views/`, `recoveries/` and `connections/`, as far as they are there.

    Raises:
        UsageError: the folder is not there, or a name in it is taken.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: --checks names one that holds probes/, views/ or connections/")
    for room in _OF_USERS:
        catalog(room).add(folder / room)


def leave_out_user_checks(folder: Path, remedy: str) -> None:
    """Remember that nothing of a user's `checks/` folder is loaded, and what to do about it."""
    for room in _OF_USERS:
        catalog(room).leave_out(folder / room, remedy)
