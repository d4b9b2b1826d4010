"""A host and its port in one text, as settings of Kafka and addresses of HTTP have them."""


def host_port(host: str, port: int) -> str:
    """Host and port; an IPv6 address stands in brackets (RFC 3986, 3.2.2)."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
