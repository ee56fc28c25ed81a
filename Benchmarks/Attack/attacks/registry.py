"""The attacks by their names."""

ALL = {}
# The names of those which hold connections.
HOLDING = set()


def attack(function):
    """Registers an attack under its name; its doc comment is what the report calls it."""
    if function.__name__ in ALL:
        raise ValueError(f"Two attacks have the name {function.__name__}.")
    ALL[function.__name__] = function
    return function


def holding(function):
    """Notes that an attack holds connections, which are not there at once."""
    HOLDING.add(function.__name__)
    return function
