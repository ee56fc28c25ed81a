"""The codes of an authenticator app (RFC 6238), by another implementation than the server's."""

import base64
import hashlib
import hmac
import time


def step():
    """The number of the current half minute."""
    return int(time.time()) // 30


def code(key, step):
    digest = hmac.new(base64.b32decode(key), step.to_bytes(8, "big"), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset:offset + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"
