"""The attacks. Each is a function of a target, the end of its time and the number of its process; it returns an outcome."""

# Each module registers its attacks, which are reported in this order.
from attacks import (  # noqa: F401
    parsing, texts, marks, links, connections, unread, filling, networks, customers, limited, products, sizes, protocols, outgoing)
from attacks.registry import ALL, COUNTED, HOLDING, PUBLIC, ROWS

__all__ = ["ALL", "COUNTED", "HOLDING", "PUBLIC", "ROWS"]
