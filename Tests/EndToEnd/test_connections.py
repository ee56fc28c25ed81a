"""What HTTP asks of a server beside its answers."""

from support import wire
from support.visitors import iphone


def test_a_head_request_on_a_kept_connection_leaves_the_next_answer_intact(app):
    link = app.mint()
    path = "/" + link.rsplit("/", 1)[1]
    with wire.connect(app.server.port) as connection:
        connection.sendall(wire.head("HEAD", path, {"Host": "a"} | iphone().headers))
        first = wire.read_answer(connection, "HEAD")
        connection.sendall(wire.head("GET", "/healthz", {"Host": "a", "Connection": "close"}))
        second = wire.read_answer(connection)

    assert (first.status, first.body) == (200, b"")
    assert second.json == {"status": "ok"}
