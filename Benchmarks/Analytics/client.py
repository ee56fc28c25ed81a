"""What asks a server, on a connection that is kept."""

import http.client
import json
import statistics
import threading
import time
from urllib.parse import urlencode


# A connection that was idle longer is replaced: the server closes idle connections after a minute.
IDLE_SECONDS = 30


class Client:
    def __init__(self, port, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.headers = headers or {}
        self.last = time.monotonic()

    def send(self, method, path, body=None):
        """What is answered, and after how many seconds."""
        if time.monotonic() - self.last > IDLE_SECONDS:
            self.connection.close()
        began = self.last = time.monotonic()
        self.connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"} | self.headers)
        answer = self.connection.getresponse()
        data = answer.read()
        seconds = time.monotonic() - began
        if answer.status != 200:
            raise SystemExit(f"{method} {path} was answered {answer.status}: {data[:300].decode(errors='replace')}")
        return json.loads(data), seconds

    def ask(self, call, **parameters):
        return self.send("GET", f"/api/v1/analytics/{call}?{urlencode(parameters)}")


def median(ask, rounds):
    """The answer, and the median of several times in milliseconds; the first, in which files are read for the first time, does not count."""
    answer, _ = ask()
    return answer, statistics.median(ask()[1] for _ in range(rounds)) * 1000


class Poster(threading.Thread):
    """Reports one event after another, as soon as the one before was answered."""

    def __init__(self, port, key):
        super().__init__(daemon=True)
        self.client = Client(port)
        self.body = {"branch_key": key, "name": "VIEW_ITEM", "user_data": {"developer_identity": "bench"},
                     "content_items": [{"$canonical_identifier": "bench/1", "$og_title": "Bench"}]}
        self.stopping = threading.Event()
        self.answers = [time.monotonic()]
        self.failure = None

    def run(self):
        try:
            while not self.stopping.is_set():
                self.client.send("POST", "/v2/event/standard", self.body)
                self.answers.append(time.monotonic())
        except (OSError, http.client.HTTPException, SystemExit) as failure:
            self.failure = failure

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.stopping.set()
        self.join()

    @property
    def longest_gap(self):
        """Between two answers, in milliseconds."""
        return max((after - before for before, after in zip(self.answers, self.answers[1:])), default=0) * 1000

    @property
    def rate(self):
        return (len(self.answers) - 1) / max(self.answers[-1] - self.answers[0], 1e-9)
