"""A host and its port in one text, as settings of Kafka and addresses of HTTP have them."""

from ipaddress import ip_address


def host_port(host: str, port: int) -> str:
    """Host and port; an IPv6 address stands in brackets (RFC 3986, 3.2.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def split(server: str) -> tuple[str, int]:
    """The host, without brackets, and the port of host:port.

    Raises:
        ValueError: it has no port.
    """
    host, _, port = server.rpartition(":")
    return host.strip("[]"), int(port)


def is_address(host: str) -> bool:
    """Whether a host is an address already, which no name server is asked for."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
