"""ConfigMaps: their keys, and chosen settings out of properties files in them; never whole values."""

from typing import TYPE_CHECKING, Annotated, Any

from runbook.answers.kubernetes import reads
from runbook.answers.kubernetes.namespaced import Namespaced
from runbook.answers.kubernetes.objects import OFF, labels
from runbook.formats.declared import at
from runbook.model.errors import Misconfigured
from runbook.model.fact import Observed
from runbook.model.parameter import Parameter
from runbook.model.probe import Probe
from runbook.model.quantity import Bytes
from runbook.model.row import Cell, row_of
from runbook.safety.secret import is_secret

if TYPE_CHECKING:
    from runbook.connections.kubernetes import Kubernetes


class KubernetesConfigMap(Namespaced):
    """An entry of a ConfigMap."""

    config_map: Annotated[str, Cell("Name.", key=True)] = at("metadata.name")
    keys: Annotated[list[str], Cell("Names of its entries.")]
    bytes: Annotated[Bytes, Cell("Size of all entries that are text.")]
    immutable: Annotated[bool, Cell("Whether it can't be changed any more.")] = at("immutable", absent=OFF)
    settings: Annotated[
        dict[str, str],
        Cell("The settings asked for -> their value, last one wins; absent ones left out."),
    ]


PROBE = Probe(
    connections=("kubernetes",),
    help="One row per ConfigMap of the namespace.",
    row=KubernetesConfigMap,
    requests=(
        "GET /version",
        "GET /api/v1/namespaces/{namespace}/configmaps",
        "GET /api/v1/namespaces/{namespace}",
    ),
    rights=(
        "list configmaps in the namespace",
        "get the namespace, to tell an empty one from one that is not there",
    ),
    parameters={
        "settings": Parameter(
            type="list[string]",
            default=[],
            help="names of settings to read out of entries written as Java properties; credentials are refused",
        )
    },
)


def observe(kubernetes: "Kubernetes", *, settings: list[str] | None = None) -> Observed:
    """Observe every ConfigMap of the namespace.

    Raises:
        Misconfigured: a setting that was asked for is a credential.
    """
    wanted = frozenset(settings or ())
    if secret := sorted(filter(is_secret, wanted)):
        raise Misconfigured(f"{', '.join(secret)} may hold a credential and is not read from ConfigMaps")
    return Observed(rows=[_row(config_map, wanted) for config_map in kubernetes.listed(reads.CONFIG_MAPS)])


def _row(thing: dict[str, Any], wanted: frozenset[str]) -> KubernetesConfigMap:
    entries = labels(thing, "data")
    return row_of(
        KubernetesConfigMap,
        thing,
        keys=sorted(entries),
        bytes=Bytes(sum(len(text.encode("utf-8", "surrogatepass")) for text in entries.values())),
        settings={key: value for text in entries.values() for key, value in _properties(text) if key in wanted},
    )


def _properties(text: str) -> list[tuple[str, str]]:
    """Split lines as Java does for what is written here: `name=value` or `name: value`, # and ! for comments."""
    found = []
    for line in map(str.strip, text.splitlines()):
        if not line or line[0] in "#!":
            continue
        ends = [at for at in (line.find("="), line.find(":")) if at > 0]
        if ends:
            found.append((line[: min(ends)].strip(), line[min(ends) + 1 :].strip()))
    return found
