"""What the block devices of a host are made of, and whether one encrypts what it holds."""

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from runbook.answers.ssh.commands import BLOCK_DEVICES, BLOCK_LAYERS

if TYPE_CHECKING:
    from runbook.connections.ssh.host import Host

_CRYPT = "CRYPT-"  # how the device mapper's ids begin of what dm-crypt made: LUKS1, LUKS2, PLAIN…


class Devices(Struct, frozen=True):
    """The devices that are made of others: by the device mapper, RAID or a loop. All else is a disk.

    Attributes:
        names: device number, major:minor -> name.
        kinds: name -> how its id of the device mapper begins, such as CRYPT- or LVM-.
        below: name -> what it is made of.
    """

    names: dict[str, str]
    kinds: dict[str, str]
    below: dict[str, list[str]]

    def layers(self, number: str) -> list[str]:
        """The device of a number and all below it, each as its name and what the device mapper calls it."""
        name = self.names.get(number, number)
        found, waiting = [], [name]
        while waiting:
            one = waiting.pop(0)
            kind = self.kinds.get(one, "").rstrip("-")
            found.append(f"{one} {kind}".strip())
            waiting += [other for other in self.below.get(one, []) if other not in waiting]
        return found

    def encrypted(self, number: str) -> bool | None:
        """Whether all that is written there is encrypted on its way to the disks.

        None of a file system without a device of its own (network, memory, btrfs, ZFS, an overlay), and of a loop over
        a file: what these lie on is not seen.
        """
        if number.startswith("0:"):
            return None
        return self._encrypted(self.names.get(number, number))

    def _encrypted(self, name: str) -> bool | None:
        if self.kinds.get(name) == _CRYPT:
            return True
        parts = [self._encrypted(below) for below in self.below.get(name, [])]
        if not parts:
            return None if name in self.names.values() else False
        return False if False in parts else None if None in parts else True


def read_devices(host: "Host") -> Devices:
    """Read what a host's devices are made of.

    Raises:
        CannotLook: the host does not tell.
    """
    names: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for line in host.run(BLOCK_DEVICES).splitlines():
        path, _, value = line.partition(":")
        parts = path.split("/")
        if parts[-1] == "dev":
            names[value] = parts[-2]
        elif parts[-2:] == ["dm", "uuid"]:
            kinds[parts[-3]] = value
    below: dict[str, list[str]] = defaultdict(list)
    for entry in host.run(BLOCK_LAYERS).split("\0")[:-1]:
        name, _, part = entry.partition("/slaves/")
        below[name].append(part)
    return Devices(names=names, kinds=kinds, below={name: sorted(parts) for name, parts in below.items()})
