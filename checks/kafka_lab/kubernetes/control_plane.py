"""Starting and stopping the control plane's processes, each on a free port of 127.0.0.1."""

import shutil
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import yaml
from msgspec import Struct

from kafka_lab import processes
from kafka_lab.certificates import Authority
from kafka_lab.errors import LabError
from kafka_lab.kubernetes.admin import Admin
from kafka_lab.kubernetes.binaries import ALL
from kafka_lab.ports import free_ports
from kafka_lab.processes import Process, condition

_WITHIN: Final = 180.0
_POLL: Final = 0.1
_LAST_BYTES: Final = 800
_ADMIN, _CONTROLLERS, _SCHEDULER = "admin", "kube-controller-manager", "kube-scheduler"


class Plane(Struct):
    """A control plane: its folder, its ports by program, and its processes in the order of their start."""

    folder: str
    ports: dict[str, int]
    processes: dict[str, Process]

    @property
    def server(self) -> str:
        """Address of the API server."""
        return f"https://127.0.0.1:{self.ports['kube-apiserver']}"

    def file(self, *parts: str) -> Path:
        """Name a file of it."""
        return Path(self.folder, *parts)

    @property
    def audit_log(self) -> Path:
        """Every request to the API server, one JSON object a line."""
        return self.file("audit.log")


def start(
    folder: Path,
    programs: Path,
    progress: Callable[[str], None],
    note: Callable[[Plane], None] = lambda _: None,
    wanted: Collection[str] = ALL,
) -> Plane:
    """Start its programs and return when the API server is ready.

    Args:
        folder: where it keeps everything; emptied first.
        programs: what `binaries.programs` gave.
        progress: called with a line of text at each step.
        note: called with each process that was started, so that it can be ended whatever happens next.
        wanted: the programs to start, in a folder where others may be missing.

    Raises:
        LabError: one of them ended or did not become ready.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names = ("etcd", "etcd-peer", "kube-apiserver", _CONTROLLERS, _SCHEDULER, "kwok")
    plane = Plane(str(folder), dict(zip(names, free_ports(len(names)), strict=True)), {})
    _write_files(plane)
    if "kwok" in wanted:
        shutil.copy(programs / "stages.yaml", plane.file("stages.yaml"))
    try:
        for name, options in _commands(plane).items():
            if name not in wanted:
                continue
            progress(f"Starting {name}")
            output = plane.file(f"{name}.log")
            command = [str(programs / name), *(f"--{part}" for line in options for part in line[2:].split(" --"))]
            plane.processes[name] = processes.start(command, output=output, folder=folder)
            note(plane)
            if name == "kube-apiserver":
                _await_ready(plane)
    except BaseException:
        stop(plane)
        raise
    return plane


def stop(plane: Plane) -> None:
    """End its processes and remove its data.

    They are killed: the API server would wait for its watchers, and nothing of it is kept.
    """
    for process in reversed(plane.processes.values()):
        processes.terminate(process, patience=0)
    shutil.rmtree(plane.folder, ignore_errors=True)


def write_kubeconfig(plane: Plane, name: str, user: dict[str, str], namespace: str = "default") -> Path:
    """Write a kubeconfig for a user of the API server; gives the file."""
    cluster = {"server": plane.server, "certificate-authority": str(plane.file("pki", "ca.crt"))}
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "lab",
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": name, "namespace": namespace}}],
        "clusters": [{"name": "lab", "cluster": cluster}],
        "users": [{"name": name, "user": user}],
    }
    file = plane.file(f"{name}.kubeconfig")
    file.touch(mode=0o600)
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return file


def _write_files(plane: Plane) -> None:
    pki = plane.file("pki")
    authority = Authority(pki)
    addresses = ("127.0.0.1", "10.96.0.1", "localhost", "kubernetes", "kubernetes.default.svc")
    authority.issue("apiserver", "kube-apiserver", names=addresses)
    authority.issue("kubelet", "kubelet", names=("127.0.0.1", "localhost"))
    authority.issue("kubelet-client", "apiserver-kubelet-client", groups=["system:masters"])
    authority.issue(_ADMIN, _ADMIN, groups=["system:masters"])
    authority.issue(_CONTROLLERS, "system:kube-controller-manager")
    authority.issue(_SCHEDULER, "system:kube-scheduler")
    authority.issue("expired", "expired", groups=["system:masters"], days=-1)
    authority.issue_signer("accounts")
    for name in (_ADMIN, _CONTROLLERS, _SCHEDULER, "expired"):
        user = {"client-certificate": str(pki / f"{name}.crt"), "client-key": str(pki / f"{name}.key")}
        write_kubeconfig(plane, name, user)
    policy = {"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}
    plane.file("audit-policy.yaml").write_text(yaml.safe_dump(policy), encoding="utf-8")


def _commands(plane: Plane) -> dict[str, list[str]]:
    """Give each program's options, several to a line, in the order in which the programs are started."""
    ports, pki = plane.ports, plane.file("pki")
    etcd, peer = (f"http://127.0.0.1:{ports[name]}" for name in ("etcd", "etcd-peer"))
    return {
        "etcd": [
            f"--name=lab --data-dir={plane.file('etcd')} --unsafe-no-fsync",
            f"--listen-client-urls={etcd} --advertise-client-urls={etcd}",
            f"--listen-peer-urls={peer} --initial-advertise-peer-urls={peer} --initial-cluster=lab={peer}",
        ],
        "kube-apiserver": [
            f"--etcd-servers={etcd} --bind-address=127.0.0.1 --advertise-address=127.0.0.1",
            f"--secure-port={ports['kube-apiserver']} --endpoint-reconciler-type=none --profiling=false",
            f"--tls-cert-file={pki}/apiserver.crt --tls-private-key-file={pki}/apiserver.key",
            f"--client-ca-file={pki}/ca.crt --authorization-mode=Node,RBAC --service-cluster-ip-range=10.96.0.0/16",
            f"--service-account-key-file={pki}/accounts.pub --service-account-signing-key-file={pki}/accounts.key",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--kubelet-certificate-authority={pki}/ca.crt --kubelet-client-certificate={pki}/kubelet-client.crt",
            f"--kubelet-client-key={pki}/kubelet-client.key",
            f"--requestheader-client-ca-file={pki}/ca.crt --requestheader-allowed-names=front-proxy",
            "--requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group",
            "--requestheader-extra-headers-prefix=X-Remote-Extra-",
            f"--audit-policy-file={plane.file('audit-policy.yaml')} --audit-log-path={plane.audit_log}",
        ],
        _CONTROLLERS: [
            *_as_component(plane, _CONTROLLERS),
            f"--use-service-account-credentials=true --service-account-private-key-file={pki}/accounts.key",
            f"--root-ca-file={pki}/ca.crt",
            f"--cluster-signing-cert-file={pki}/ca.crt --cluster-signing-key-file={pki}/ca.key",
        ],
        _SCHEDULER: _as_component(plane, _SCHEDULER),
        "kwok": [
            f"--kubeconfig={plane.file('admin.kubeconfig')} --config={plane.file('stages.yaml')}",
            # Without leases the controllers call every node lost after a minute, and disruption budgets count nobody.
            "--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake --node-lease-duration-seconds=40",
            f"--cidr=10.244.0.0/16 --node-ip=127.0.0.1 --node-port={ports['kwok']}",
            f"--tls-cert-file={pki}/kubelet.crt --tls-private-key-file={pki}/kubelet.key",
            f"--server-address=127.0.0.1:{ports['kwok']}",
        ],
    }


def _as_component(plane: Plane, name: str) -> list[str]:
    config = plane.file(f"{name}.kubeconfig")
    return [
        f"--kubeconfig={config} --authentication-kubeconfig={config} --authorization-kubeconfig={config}",
        f"--bind-address=127.0.0.1 --secure-port={plane.ports[name]} --cert-dir={plane.file(name)}",
        "--leader-elect=false",
    ]


def _await_ready(plane: Plane) -> None:
    admin = Admin(plane.file("admin.kubeconfig"))
    end = time.monotonic() + _WITHIN
    try:
        while True:
            assert_alive(plane)
            try:
                admin.assert_ready()
            except LabError:
                if time.monotonic() > end:
                    raise
                time.sleep(_POLL)
            else:
                return
    finally:
        admin.close()


def assert_alive(plane: Plane) -> None:
    """Make sure that every process started so far still runs.

    Raises:
        LabError: one ended; with the end of what it said.
    """
    for name, process in plane.processes.items():
        if condition(process) == "stopped":
            said = plane.file(f"{name}.log").read_text("utf-8", errors="replace")
            raise LabError(f"{name} of the lab's Kubernetes ended. It said: {said.strip()[-_LAST_BYTES:]}")
