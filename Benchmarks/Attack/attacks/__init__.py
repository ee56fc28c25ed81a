"""The attacks. Each is a function of a target, the end of its time and the number of its process; it returns an outcome."""

# Each module registers its attacks, which are reported in this order.
from attacks import parsing, texts, links, connections, unread, filling, networks, customers, products, sizes, protocols  # noqa: F401
from attacks.registry import ALL, HOLDING

__all__ = ["ALL", "HOLDING"]
