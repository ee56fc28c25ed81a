"""Structure-aware fuzzing over sockets: real requests of a corpus, changed where a parser or a rule may be wrong."""

import json
import random
import re
import time
from pathlib import Path

from traffic import Outcome, pipeline, request, send_alone

CORPUS = Path(__file__).parent / "corpus"
WORDS = [
    "", "0", "-1", "1e308", "9223372036854775807", "9223372036854775808", "-0.0", "NaN", "null", "true", "bnc_no_value", "undefined",
    "\x00", "\ufeff", "\u202e", "é", "😀", "%00", "%F0%9F", "%zz", "../" * 20, "a" * 5000, "'\"`;--", "<script>", "${x}", "{{x}}",
    "https://evil.example/", "javascript:alert(1)", "//evil.example", "data:text/html,x", "1970-01-01", "2026-02-30", "99999-01-01",
    "iOS", "Android", "17.999999999", "en-US", "id:1", "(" * 300, "[" * 300,
]
VALUES = [None, True, False, 0, -1, 10**18, 10**25, 1.5, -1e-300, [], {}, [[]], [None], {"": None}, {"a": {"b": ["c"]}}]
SEPARATORS = "?&=;/#%+,.:$~!"


def corpus(target):
    """Requests as `METHOD TARGET`, their headers and, after an empty line, their body; $NAMES stand for the app's own values."""
    requests = []
    for path in sorted(CORPUS.glob("*.http")):
        text = path.read_text()
        for name, value in target.names.items():
            text = text.replace("$" + name, value)
        for part in re.split(r"^###.*\n", text, flags=re.M):
            head, _, body = part.strip().partition("\n\n")
            if not head:
                continue
            first, *lines = head.splitlines()
            method, path_and_query = first.split(" ", 1)
            requests.append((method, path_and_query, dict(line.split(": ", 1) for line in lines), body))
    return requests


class Mutation:
    """Changes requests at random, a few places each."""

    def __init__(self, seed, requests):
        self.dice = random.Random(seed)
        self.requests = requests

    def next(self):
        """The bytes of a changed request that is whole, so that others may follow it on its connection."""
        dice = self.dice
        method, target, headers, body = dice.choice(self.requests)
        headers = dict(headers)
        for _ in range(dice.choice((1, 1, 1, 2, 5))):
            part = dice.random()
            if part < 0.35 and body:
                body = self.body(body)
            elif part < 0.75:
                target = self.text(target)
            elif part < 0.95:
                name = dice.choice([*headers, "User-Agent", "X-Forwarded-For", "Cookie", "Referer", "Accept-Language"])
                headers[name] = self.text(headers.get(name, dice.choice(WORDS)))
            else:
                method = dice.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
        return request(
            method, self.printable(target) or "/", body.encode("utf-8", "surrogatepass"),
            {name: self.printable(value) for name, value in headers.items() if name not in ("Host", "Content-Length", "Connection")})

    def broken(self):
        """The bytes of a request with bytes changed, cut or repeated anywhere."""
        data = bytearray(self.next())
        for _ in range(self.dice.choice((1, 2, 8))):
            at = self.dice.randrange(len(data))
            match self.dice.randrange(4):
                case 0: data[at] = self.dice.randrange(256)
                case 1: del data[at:at + self.dice.randrange(1, 40)]
                case 2: data[at:at] = data[at:at + 20] * self.dice.choice((1, 2, 50))
                case _: data[at:at] = self.dice.randbytes(self.dice.choice((1, 4, 100)))
            data = data or bytearray(b"G")
        return bytes(data)

    def printable(self, text):
        """What may stand in a line of a head; anything else is tried by ``broken``."""
        return "".join(character if "!" <= character <= "~" else f"%{ord(character) & 255:02X}" for character in text)

    def body(self, body):
        try:
            value = json.loads(body)
        except ValueError:
            return self.text(body)
        return json.dumps(self.value(value), ensure_ascii=self.dice.random() < 0.5)

    def value(self, value):
        """A JSON value with one place in it changed."""
        dice = self.dice
        if isinstance(value, dict) and value and dice.random() < 0.9:
            key = dice.choice(list(value))
            changed = dict(value)
            match dice.randrange(8):
                case 0: del changed[key]
                case 1: changed[self.text(key)] = changed.pop(key)
                case 2: changed[dice.choice(WORDS)] = dice.choice(VALUES)
                case _: changed[key] = self.value(value[key])
            return changed
        if isinstance(value, list) and value and dice.random() < 0.7:
            at = dice.randrange(len(value))
            return value[:at] + [self.value(value[at])] * dice.choice((0, 1, 1, 30)) + value[at + 1:]
        if isinstance(value, str) and dice.random() < 0.6:
            return self.text(value)
        return dice.choice(VALUES) if dice.random() < 0.6 else dice.choice(WORDS)

    def text(self, text):
        dice = self.dice
        at = dice.randrange(len(text) + 1)
        match dice.randrange(7):
            case 0: return text[:at] + dice.choice(WORDS) + text[at:]
            case 1: return text[:at] + text[at + dice.randrange(1, 10):]
            case 2: return text[:at] + dice.choice(SEPARATORS) + text[at:]
            case 3: return text[:at] + text[at:at + 10] * dice.choice((2, 20)) + text[at:]
            case 4: return text[:at] + chr(dice.choice((dice.randrange(128), dice.randrange(0xD800)))) + text[at + 1:]
            case 5: return re.sub(r"\d+", lambda _: str(dice.choice((0, -1, 2**31, 2**63, 10**30))), text, count=1)
            case _: return dice.choice(WORDS)


def fuzz(target, until, number, inputs):
    """Sends so many inputs, unless the time is over before."""
    outcome = Outcome()
    mutation = Mutation(number, corpus(target))
    while outcome.requests < inputs and time.time() < until:
        pipeline(target.port, [mutation.next() for _ in range(64)], outcome)
        for _ in range(4):
            send_alone(target.port, mutation.broken(), outcome)
    return outcome
