"""Loads that run in processes of their own, so that one does not delay the other."""

import http.client
import itertools
import os
import random
import threading
import time
from urllib.parse import urlsplit

from pages import Reader

CONNECTIONS = 8
LOWEST_PRIORITY = 19
DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


def click(port, links, rate, seconds):
    """Visits links at a steady rate. Returns the milliseconds of each from when it was due, so that a wait for a connection counts."""
    times, lock, number = [], threading.Lock(), itertools.count()
    began = time.monotonic() + 0.1

    def visit():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while True:
            with lock:
                due = began + next(number) / rate
            if due > began + seconds:
                return
            time.sleep(max(0, due - time.monotonic()))
            link = urlsplit(random.choice(links))
            connection.request("GET", link.path, headers={"Host": link.netloc, "User-Agent": DESKTOP})
            answer = connection.getresponse()
            answer.read()
            if answer.status not in (200, 302, 307):
                raise RuntimeError(f"a redirect was answered {answer.status}")
            with lock:
                times.append((time.monotonic() - due) * 1000)

    run([threading.Thread(target=visit) for _ in range(CONNECTIONS)])
    if len(times) < rate * seconds * 0.9:
        raise RuntimeError(f"only {len(times)} of {rate * seconds:.0f} redirects were answered")
    return times


def use_pages(port, cookie, pages, users, pause, seconds):
    """Users who read one page after another, with a pause between. Returns the number of pages.

    Browsers run on machines of their own, so this process gives way to the server and to the visits that are measured.
    """
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    end, counts = time.monotonic() + seconds, []

    def use(user):
        reader, order, count = Reader(port, cookie), random.Random(user), 0
        time.sleep(pause * user / users)
        while time.monotonic() < end:
            reader.get(order.choice(pages))
            count += 1
            time.sleep(pause)
        counts.append(count)

    run([threading.Thread(target=use, args=(user,)) for user in range(users)])
    return sum(counts)


def run(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
