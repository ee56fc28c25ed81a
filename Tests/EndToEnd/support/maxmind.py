"""Files that tell the countries and owners of networks, in MaxMind's format (https://maxmind.github.io/MaxMind-DB/)."""

from ipaddress import ip_network

MARK = b"\xab\xcd\xefMaxMind.com"
UINT16, UINT32, UINT64 = 5, 6, 9


def write_countries(path, countries):
    """Writes the countries of networks, which must not overlap."""
    write(path, {network: {"country": {"iso_code": code}} for network, code in countries.items()})


def write_owners(path, owners):
    """Writes the autonomous systems of networks, which must not overlap."""
    write(path, {network: {"autonomous_system_number": (UINT32, number), "autonomous_system_organization": "Owner"}
                 for network, number in owners.items()})


def write(path, entries):
    nodes, data = [[None, None]], b""
    for text, entry in entries.items():
        network = ip_network(text)
        # The older addresses lie in ::/96.
        offset = 96 if network.version == 4 else 0
        bits = f"{int(network.network_address):0128b}"[:offset + network.prefixlen]
        node = 0
        for bit in map(int, bits[:-1]):
            if nodes[node][bit] is None:
                nodes.append([None, None])
                nodes[node][bit] = len(nodes) - 1
            node = nodes[node][bit]
        nodes[node][int(bits[-1])] = -1 - len(data)
        data += encoded(entry)

    def record(target):
        if target is None:
            return len(nodes)
        return target if target >= 0 else len(nodes) + 16 - 1 - target

    tree = b"".join(record(target).to_bytes(3, "big") for node in nodes for target in node)
    about = {
        "binary_format_major_version": (UINT16, 2), "binary_format_minor_version": (UINT16, 0), "build_epoch": (UINT64, 1_800_000_000),
        "database_type": "Test", "description": {}, "ip_version": (UINT16, 6), "languages": ["en"],
        "node_count": (UINT32, len(nodes)), "record_size": (UINT16, 24)}
    path.write_bytes(tree + bytes(16) + data + MARK + encoded(about))


def encoded(value):
    if isinstance(value, str):
        return head(2, len(value)) + value.encode()
    if isinstance(value, dict):
        return head(7, len(value)) + b"".join(encoded(part) for member in value.items() for part in member)
    if isinstance(value, list):
        return head(11, len(value)) + b"".join(map(encoded, value))
    kind, number = value
    size = {UINT16: 2, UINT32: 4, UINT64: 8}[kind]
    return head(kind, size) + number.to_bytes(size, "big")


def head(kind, size):
    """The control byte of a field: type and size. Types from 8 on have a byte of their own; sizes from 29 on have their remainder after it."""
    short = min(size, 29)
    return (bytes([kind << 5 | short]) if kind < 8 else bytes([short, kind - 7])) + (bytes([size - 29]) if size >= 29 else b"")
