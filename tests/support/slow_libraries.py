"""Connections whose libraries load slowly, as on a machine where each step takes many times as long."""

from pathlib import Path


def slow_library(folder: Path, name: str, seconds: float) -> str:
    """Write a kind of connection to nothing that loads for some seconds, into a `checks/` folder; gives the folder."""
    (folder / "connections").mkdir(parents=True, exist_ok=True)
    (folder / "connections" / f"{name}.py").write_text(
        f"""\
import time


class Slow:
    def __init__(self, settings, clock):
        self.settings, self.clock = settings, clock

    def close(self):
        pass


def prepare():
    time.sleep({seconds})


def connect(settings, clock):
    return Slow(settings, clock)
""",
        "utf-8",
    )
    return str(folder)
