"""The inventory's settings for a Kubernetes cluster, and the official client's configuration made of them.

There are three ways in, the first that is named is taken: a kubeconfig, the service account of the pod we run in, or
the address of an API server with a token. Certificates are always verified.
"""

import importlib
import os
import ssl
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from runbook.answers.kubernetes.labels import Selector, parse_selector
from runbook.connections._client_files import ClientEntry, client_entries
from runbook.model.errors import Misconfigured, did_you_mean
from runbook.model.probe import Deadline

SETTINGS: Final = {
    "kubeconfig": "path of a kubeconfig; without it $KUBECONFIG, then ~/.kube/config",
    "context": "the kubeconfig's context; without it the current one",
    "exec": "true lets the kubeconfig's credential plugin run a program on this machine",
    "in_cluster": "true takes the service account of the pod we run in",
    "server": "address of an API server, instead of a kubeconfig",
    "ca": "path of the PEM file with the authority of the server's certificate; without it the system's",
    "token": "bearer token for server, as a reference such as {file: PATH}",
    "namespace": "the namespace of the Kafka cluster; without it the context's",
    "cluster": "the Kafka resource of Strimzi that is meant; what belongs to others of the namespace is left out",
    "brokers": "label selector of the broker pods",
    "controllers": "label selector of the pods with a KRaft controller; brokers that are controllers too included",
    "zookeeper": "label selector of the ZooKeeper pods",
    "broker_offset": "what to add to the number at the end of a broker pod's name to get its node id",
    "clients": "what configures applications: a list of {name, config_map, key}, and `namespace` where it is another",
    "logs": "true lets GC logs be read from the logs of broker pods, which takes a right of its own",
}
"""What each setting means; there are no others."""

_TEXT: Final = (
    "kubeconfig",
    "context",
    "server",
    "ca",
    "token",
    "namespace",
    "cluster",
    "brokers",
    "controllers",
    "zookeeper",
)
_SERVICE_ACCOUNT: Final = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_LOOPBACK: Final = ("127.", "localhost", "::1")


class Access(Struct, frozen=True):
    """How the API server is reached and what is looked at.

    Attributes:
        configuration: the official client's; None where answers come from a recording.
        context: the TLS settings, certificates loaded; None over plain HTTP to this machine.
        host: of the API server, as an address.
        namespace: where the Kafka cluster lives.
        selectors: role (broker, controller, zookeeper) -> the labels that the inventory gives for it.
        broker_offset: added to the number at the end of a broker pod's name.
        clients: where the configuration of applications is.
        logs: whether logs of pods may be read.
        cluster: the Kafka resource of Strimzi that is meant; empty where nobody said.
    """

    configuration: Any
    context: ssl.SSLContext | None
    host: str
    namespace: str
    selectors: dict[str, Selector]
    broker_offset: int
    clients: list[ClientEntry] = []
    logs: bool = False
    cluster: str = ""


class _WayIn(Struct, frozen=True):
    """Where the API server is, and the namespace that a kubeconfig or a pod names."""

    host: str
    namespace: str


def access(settings: Mapping[str, Any], clock: Deadline) -> Access:
    """Work out how to get in; nothing is sent.

    Raises:
        Misconfigured: a setting is unknown or of the wrong type, or what it refers to can't be used.
    """
    clients = client_entries(settings.get("clients", []), "kubernetes", ("config_map", "key"), ("namespace",))
    _check(settings)
    opened: list[tuple[Any, ssl.SSLContext | None]] = []

    def look() -> _WayIn:
        # Private keys that a kubeconfig holds inline pass through files, as OpenSSL wants; they are gone afterwards.
        with tempfile.TemporaryDirectory(prefix="runbook-") as folder:
            configuration, namespace = _configuration(settings, folder)
            opened.append((configuration, _tls(configuration)))
        configuration.retries = False
        return _WayIn(configuration.host, namespace)

    way_in = clock.tape.answer("kubernetes access", {}, look, _WayIn)
    configuration, context = opened[0] if opened else (None, None)
    roles = {"broker": "brokers", "controller": "controllers", "zookeeper": "zookeeper"}
    return Access(
        configuration,
        context,
        way_in.host,
        str(settings.get("namespace") or way_in.namespace or "default"),
        {role: parse_selector(settings[name], name) for role, name in roles.items() if settings.get(name)},
        # not made up: a setting of the inventory, with its documented default
        int(settings.get("broker_offset", 0)),
        clients,
        settings.get("logs") is True,
        str(settings.get("cluster", "")),
    )


def _check(settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        if name not in SETTINGS:
            raise Misconfigured(f'unknown setting "{name}" of kubernetes: {did_you_mean(name, list(SETTINGS))}')
        if name == "clients":
            continue  # made entries of already
        if name in _TEXT:
            right = isinstance(value, str)
        else:
            right = isinstance(value, int) if name == "broker_offset" else isinstance(value, bool)
        if not right:
            wanted = "text" if name in _TEXT else "a whole number" if name == "broker_offset" else "true or false"
            raise Misconfigured(f"{name} of kubernetes must be {wanted}: {SETTINGS[name]}")
    ways = [name for name in ("kubeconfig", "in_cluster", "server") if settings.get(name)]
    if len(ways) > 1:
        raise Misconfigured(f"kubernetes names two ways in, {ways[0]} and {ways[1]}: keep one of them")
    if "server" not in ways and (settings.get("ca") or settings.get("token")):
        raise Misconfigured("ca and token of kubernetes go with server: a kubeconfig brings its own")


def _configuration(settings: Mapping[str, Any], folder: str) -> tuple[Any, str]:
    """Give the client's configuration and the namespace that comes with it, if any."""
    configuration = importlib.import_module("kubernetes.client.configuration").Configuration()
    if settings.get("server"):
        configuration.host = _address(str(settings["server"]))
        configuration.ssl_ca_cert = _file(str(settings["ca"])) if settings.get("ca") else None
        if settings.get("token"):
            configuration.api_key["BearerToken"] = f"Bearer {settings['token']}"
        return configuration, ""
    if settings.get("in_cluster"):
        return configuration, _from_pod(configuration)
    return configuration, _from_kubeconfig(configuration, settings, folder)


def _address(server: str) -> str:
    parts = urlsplit(server)
    if parts.scheme == "https" and parts.hostname:
        return server.rstrip("/")
    if parts.scheme == "http" and (parts.hostname or "").startswith(_LOOPBACK):
        return server.rstrip("/")
    raise Misconfigured(
        f"the server of kubernetes is {server}: write https://HOST:PORT; plain http is for this machine only"
    )


def _file(path: str) -> str:
    file = Path(path).expanduser()
    if not file.is_file():
        raise Misconfigured(f"ca of kubernetes is {path}, which is no file")
    return str(file)


def _from_pod(configuration: Any) -> str:
    library = importlib.import_module("kubernetes.config")
    try:
        library.load_incluster_config(client_configuration=configuration, try_refresh_token=False)
        return _SERVICE_ACCOUNT.joinpath("namespace").read_text("utf-8").strip()
    except (library.ConfigException, OSError) as error:
        raise Misconfigured(
            f"in_cluster of kubernetes is set, but this is no pod with a service account: {error}"
        ) from None


def _from_kubeconfig(configuration: Any, settings: Mapping[str, Any], folder: str) -> str:
    import yaml

    library = importlib.import_module("kubernetes.config.kube_config")
    problem = importlib.import_module("kubernetes.config").ConfigException
    paths = str(settings.get("kubeconfig") or os.environ.get("KUBECONFIG") or "~/.kube/config")
    try:
        merged = library.KubeConfigMerger(paths).config
        if merged is None:
            raise Misconfigured(f"no kubeconfig at {paths}: name one by kubeconfig, or set in_cluster or server")
        context = _context(merged.value, settings.get("context"), paths)
        user = _named(merged.value, "users", context.get("user"))
        cluster = _named(merged.value, "clusters", context.get("cluster"))
        _refuse(user, cluster, paths, may_run=bool(settings.get("exec")))
        loader = library.KubeConfigLoader(
            config_dict=merged,
            active_context=settings.get("context"),
            config_base_path=None,
            temp_file_path=folder,
        )
        loader.load_and_set(configuration)
    except (problem, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Misconfigured(f"the kubeconfig {paths} can't be used: {_first_line(error)}") from None
    except yaml.YAMLError:
        raise Misconfigured(f"the kubeconfig {paths} is no YAML") from None
    if "exec" in user and not configuration.api_key and not configuration.cert_file:
        raise Misconfigured(f"the credential plugin of the kubeconfig {paths} gave neither token nor certificate")
    configuration.host = _address(configuration.host)
    return str(context.get("namespace") or "")


def _context(config: Mapping[str, Any], name: str | None, paths: str) -> dict[str, Any]:
    wanted = name or config.get("current-context")
    known = [str(entry["name"]) for entry in config.get("contexts") or ()]
    if not wanted:
        raise Misconfigured(f"the kubeconfig {paths} has no current context: set context to one of {', '.join(known)}")
    if wanted not in known:
        raise Misconfigured(f'the kubeconfig {paths} has no context "{wanted}": {did_you_mean(str(wanted), known)}')
    return _named(config, "contexts", wanted)


def _named(config: Mapping[str, Any], kind: str, name: Any) -> dict[str, Any]:
    """Find an entry of a kubeconfig; the key of what it holds is the kind without its s."""
    found = next((entry for entry in config.get(kind) or () if entry["name"] == name), None)
    entry = dict(getattr(found, "value", found) or {})
    return dict(entry.get(kind.removesuffix("s")) or {})


def _refuse(user: Mapping[str, Any], cluster: Mapping[str, Any], paths: str, *, may_run: bool) -> None:
    if cluster.get("insecure-skip-tls-verify"):
        raise Misconfigured(
            f"the kubeconfig {paths} turns the verification of certificates off: give it certificate-authority instead"
        )
    if "auth-provider" in user:
        raise Misconfigured(
            f"the kubeconfig {paths} uses an auth-provider, which Kubernetes 1.26 removed: use a plugin (exec)"
        )
    if "exec" in user and not may_run:
        command = dict(user["exec"] or {}).get("command", "a program")
        raise Misconfigured(
            f"the kubeconfig {paths} gets its credentials by running {command}: allow that by `exec: true` in the "
            "inventory, or use a kubeconfig with a token"
        )


def _tls(configuration: Any) -> ssl.SSLContext | None:
    if not configuration.host.startswith("https"):
        return None
    try:
        context = ssl.create_default_context(cafile=configuration.ssl_ca_cert)
        if configuration.cert_file:
            context.load_cert_chain(configuration.cert_file, configuration.key_file)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise Misconfigured(f"the certificates for {configuration.host} can't be used: {_first_line(error)}") from None
    # On from Python 3.13; authorities that kubeadm and clouds made lack fields it wants, and kubectl takes them.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    configuration.ssl_ca_cert = configuration.cert_file = configuration.key_file = None
    return context


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
