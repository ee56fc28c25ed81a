"""The attacks by their names."""

ALL = {}
# The names of those which hold connections.
HOLDING = set()
# The names of those which need a public address of this machine.
PUBLIC = set()
# The names of those whose visits must be counted soon after their end.
COUNTED = set()
# By the names of attacks: what adds rows to the database before they begin.
ROWS = {}


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


def public(function):
    """Notes that an attack listens at public addresses, which this machine has in the network namespace that Scripts/attack.sh makes."""
    PUBLIC.add(function.__name__)
    return function


def counted(function):
    """Notes that the server must have counted the visits of an attack soon after its end."""
    COUNTED.add(function.__name__)
    return function


def on_rows(add):
    """Notes that `add`, a function of a connection to the database and of the target, inserts rows before an attack begins."""
    def note(function):
        ROWS[function.__name__] = add
        return function

    return note
