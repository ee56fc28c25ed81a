"""Slow clients do not delay others."""

from contextlib import closing

import pytest

from support.server import Server, running
from support.slow import SlowClients, click_times, room_for

SLOW = 2000


def test_thousands_who_are_slow_do_not_starve_the_others(tmp_path):
    with room_for(SLOW) as room:
        if room < SLOW:
            pytest.skip(f"only {room} connections may be open at once")
        with running(Server(tmp_path)) as server:
            app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
            link = app.create_link()
            with closing(SlowClients(app, SLOW)) as slow:
                # A few milliseconds each; a busy machine is given more.
                assert click_times(app, link)[98] < 1
                # And who is slow is served in the end.
                assert [slow.finish(number).status for number in (0, 1, 2, SLOW - 3, SLOW - 2, SLOW - 1)] == [200] * 6
