"""The programs of the control plane, built once from pinned Go modules and kept in the cache."""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from kafka_lab.errors import LabError
from kafka_lab.places import held
from runbook.folders import cache_folder
from runbook.safety.child_process import TookTooLong, finish_text, for_children

VERSION: Final = "1.36.3"
"""Of Kubernetes, as go.mod pins it."""

LEAST_GO: Final = (1, 26)
"""What Kubernetes 1.36 asks for."""

BUILD: Final = "RUNBOOK_BUILD_KUBERNETES"
"""The environment variable that lets tests build what is not in the cache: `server` the API server, `1` all of it."""

_HERE: Final = Path(__file__).parent
_PROGRAMS: Final = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
    "kwok": "sigs.k8s.io/kwok/cmd/kwok",
}
_STAGES_FILE: Final = "stages.yaml"
API_SERVER: Final = ("etcd", "kube-apiserver")
"""Those that keep objects and answer questions about them; nothing moves there."""

ALL: Final = (*_PROGRAMS, _STAGES_FILE)
"""All that a whole control plane runs."""

_STAMP: Final = "k8s.io/component-base/version"
_STAGES: Final = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "node/chaos/node-not-ready.yaml",
    "pod/fast/pod-*.yaml",
    "volume/fast/p*.yaml",
)
"""kwok's own descriptions of what simulated nodes, pods and volumes do; they come with its module."""

_BUILD_WITHIN: Final = 1500.0
_LIST_WITHIN: Final = 300.0


def folder() -> Path:
    """Name the folder of what the pinned modules give; other pins give another folder."""
    pins = b"".join(_HERE.joinpath(name).read_bytes() for name in ("go.mod", "go.sum"))
    return cache_folder() / f"kubernetes-{VERSION}-{hashlib.sha256(pins).hexdigest()[:12]}"


def built(wanted: Collection[str] = ALL) -> bool:
    """Whether these are in the cache."""
    return not _missing(wanted)


def _missing(wanted: Collection[str]) -> list[str]:
    return [name for name in wanted if not folder().joinpath(name).is_file()]


def lacking(wanted: Collection[str] = ALL) -> str:
    """Say what is missing to build them, and what helps; empty if nothing is, or if they are built."""
    if built(wanted):
        return ""
    go = shutil.which("go")
    wanted = ".".join(map(str, LEAST_GO))
    if go is None:
        return f"Go is missing, of which the control plane is built: install Go {wanted} or newer"
    said = finish_text([go, "env", "GOVERSION"], patience=_LIST_WITHIN)
    found = re.match(r"go(\d+)\.(\d+)", said.stdout.strip())
    if found is None or (int(found[1]), int(found[2])) < LEAST_GO:
        return f"{said.stdout.strip() or 'this Go'} is too old for Kubernetes {VERSION}: install Go {wanted} or newer"
    return ""


def programs(progress: Callable[[str], None], wanted: Collection[str] = ALL) -> Path:
    """Give the folder of the programs, building first those that are not there: all take 4 to 12 minutes on two cores.

    Raises:
        LabError: Go is missing or could not fetch or build the modules.
    """
    if built(wanted):
        return folder()
    if reason := lacking(wanted):
        raise LabError(reason)
    with held(folder().with_name(f"{folder().name}.lock")):
        if missing := _missing(wanted):
            progress(f"Building Kubernetes {VERSION} once, at low priority; this takes minutes")
            _build(missing, progress)
    return folder()


def _build(missing: Collection[str], progress: Callable[[str], None]) -> None:
    with tempfile.TemporaryDirectory(prefix="runbook-kubernetes-", dir=folder().parent) as unfinished:
        work, out = Path(unfinished, "module"), Path(unfinished, "out")
        work.mkdir()
        out.mkdir()
        for name in ("go.mod", "go.sum"):
            shutil.copy(_HERE / name, work)
        for name in missing:
            progress(f"Building {name}")
            if name == _STAGES_FILE:
                _write_stages(work, out / name)
            else:
                _go(work, "build", "-p", "2", "-trimpath", "-ldflags", _flags(), "-o", str(out / name), _PROGRAMS[name])
        folder().mkdir(exist_ok=True)
        for name in missing:
            out.joinpath(name).replace(folder() / name)


def _flags() -> str:
    major, minor, _ = VERSION.split(".")
    stamps = {"gitVersion": f"v{VERSION}", "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s -w", *(f"-X {_STAMP}.{name}={value}" for name, value in stamps.items())])


def _write_stages(work: Path, file: Path) -> None:
    module = Path(_go(work, "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kwok").strip(), "kustomize", "stage")
    found = [path for pattern in _STAGES for path in sorted(module.glob(pattern))]
    if not found:
        raise LabError(f"The module kwok has no stages below {module}: its version is another than go.mod pins")
    file.write_text("\n---\n".join(path.read_text("utf-8") for path in found), encoding="utf-8")


def _go(work: Path, *arguments: str) -> str:
    nice = shutil.which("nice")
    command = [*((nice, "-n", "15") if nice else ()), "go", *arguments]
    try:
        environment = for_children({"CGO_ENABLED": "0"})
        done = finish_text(command, patience=_BUILD_WITHIN, folder=work, environment=environment)
    except TookTooLong:
        raise LabError(f"{' '.join(command)} did not end within {_BUILD_WITHIN:.0f} s") from None
    if done.returncode != 0:
        raise LabError(f"{' '.join(command)} failed: {done.stderr.strip()[-800:]}")
    return done.stdout
