#!/usr/bin/env python3
"""Makes vectors.json with Python's hmac, so that the signatures are not made by the code they test.

    python3 test/make-vectors.py > test/vectors.json

A body is given as base64 of its bytes. `code` is the error that the message must be refused with, null when it is good.
"""

import base64
import hashlib
import hmac
import json
from datetime import datetime, timezone

KEY = hashlib.sha256(b"first key of the vectors").hexdigest()
NEW_KEY = hashlib.sha256(b"second key of the vectors").hexdigest()
SENT_AT = "2026-11-21T09:00:00Z"
MESSAGE_ID = "5b1f0c9e-4c0e-4b5e-9d5a-0a4f4e2f7c11"
BODIES = {
    "a notification": (
        b'{"message_id":"5b1f0c9e-4c0e-4b5e-9d5a-0a4f4e2f7c11","timestamp":"2026-11-21T08:59:58Z",'
        b'"user":{"id":"17","url":"https://ats.example/api/v1/recruiters/17"},'
        b'"details":{"application":{"id":4711,"url":"https://ats.example/api/v1/vacancy_applications/4711"}}}'
    ),
    "an empty body": b"",
    "an empty object": b"{}",
    "letters of many scripts": '{"name":"Zoë Grüße 履歴書 سيرة 👩‍💻"}'.encode(),
    "escapes, dots and commas": rb'{"a":"\u00e9\n.,","b":1.50}',
    "line breaks and a tab": b'{\r\n\t"a": 1\n}\n',
    "a byte order mark": b'\xef\xbb\xbf{"a":1}',
    "bytes that are no UTF-8": b'{"a":"\xff\xfe\x00"}',
    "a large body": b'{"a":"' + b"0123456789" * 500 + b'"}',
}


def other_digit(character):
    """The same digit, of the Arabic script."""
    return chr(0x0660 + int(character)) if character in "0123456789" else character


def unix(timestamp):
    return int(datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())


def ours(key, timestamp, body):
    digest = hmac.new(key.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"{timestamp},{digest}"


def standard(key, message_id, seconds, body):
    signed = f"{message_id}.{seconds}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key.encode(), signed, hashlib.sha256).digest()).decode()


def vector(name, body, **changes):
    return {
        "name": name,
        "body_base64": base64.b64encode(body).decode(),
        "header": ours(KEY, SENT_AT, body),
        "keys": [KEY],
        "tolerance_seconds": 300,
        "now": unix(SENT_AT) + 2,
        "code": None,
        **changes,
    }


def accepted():
    for name, body in BODIES.items():
        yield vector(name, body)
    body = BODIES["an empty object"]
    yield vector("the new key of two", body, header=ours(NEW_KEY, SENT_AT, body), keys=[KEY, NEW_KEY])
    yield vector("the old key of two", body, keys=[KEY, NEW_KEY])
    yield vector("a key that is not hexadecimal", body, header=ours("schlüssel 🔑", SENT_AT, body), keys=["schlüssel 🔑"])
    yield vector("a key of one character", body, header=ours("k", SENT_AT, body), keys=["k"])
    yield vector("a key longer than a block of SHA-256", body, header=ours(KEY * 2, SENT_AT, body), keys=[KEY * 2])
    yield vector("the last second of a leap day", body, header=ours(KEY, "2028-02-29T23:59:59Z", body),
                 now=unix("2028-02-29T23:59:59Z"))
    yield vector("exactly as old as is tolerated", body, now=unix(SENT_AT) + 300)
    yield vector("exactly as far ahead as is tolerated", body, now=unix(SENT_AT) - 300)
    yield vector("no tolerance and no difference", body, tolerance_seconds=0, now=unix(SENT_AT))


def refused():
    body = BODIES["a notification"]
    header = ours(KEY, SENT_AT, body)
    digest = header.split(",")[1]
    mismatch = {
        "another body": {"body_base64": base64.b64encode(body.replace(b"4711", b"4712")).decode()},
        "a body written with spaces": {"body_base64": base64.b64encode(body.replace(b":", b": ")).decode()},
        "another key": {"keys": [NEW_KEY]},
        "the key decoded from its hexadecimal text": {
            "header": f"{SENT_AT},"
            + hmac.new(bytes.fromhex(KEY), SENT_AT.encode() + b"." + body, hashlib.sha256).hexdigest()
        },
        "a later timestamp than was signed": {"header": f"2026-11-21T09:00:01Z,{digest}"},
        "a body signed without its timestamp": {
            "header": f"{SENT_AT},{hmac.new(KEY.encode(), body, hashlib.sha256).hexdigest()}"
        },
        "another key, and too old besides": {"keys": [NEW_KEY], "now": unix(SENT_AT) + 301},
    }
    malformed = {
        "no header": "",
        "only a timestamp": SENT_AT,
        "only a signature": digest,
        "a comma too many": f"{header},",
        "a space after the comma": f"{SENT_AT}, {digest}",
        "the signature in capitals": f"{SENT_AT},{digest.upper()}",
        "the signature cut short": header[:-1],
        "the signature prolonged": f"{header}0",
        "two signatures": f"{header}, {header}",
        "a line break at the end": f"{header}\n",
        "a line before it": f"x\n{header}",
        "a null byte at the end": f"{header}\0",
        "digits of another script in the signature": f"{SENT_AT},{''.join(other_digit(c) for c in digest)}",
    }
    for name, change in mismatch.items():
        yield vector(name, body, **{"header": header, **change, "code": "signature_mismatch"})
    for name, text in malformed.items():
        yield vector(name, body, header=text, code="malformed_signature")
    for timestamp, now in {
        "2026-11-21T09:00:00.000Z": SENT_AT,
        "2026-11-21T09:00:00+00:00": SENT_AT,
        "2026-11-21t09:00:00z": SENT_AT,
        "2026-11-21T09:00Z": SENT_AT,
        "1795251600": SENT_AT,
        "".join(other_digit(c) for c in SENT_AT): SENT_AT,
        "2026-02-30T09:00:00Z": "2026-03-02T09:00:00Z",
        "2026-11-31T09:00:00Z": "2026-12-01T09:00:00Z",
        "2027-02-29T09:00:00Z": "2027-03-01T09:00:00Z",
        "2026-00-21T09:00:00Z": "2025-12-21T09:00:00Z",
        "2026-11-21T24:00:00Z": "2026-11-22T00:00:00Z",
        "2026-11-21T08:60:00Z": SENT_AT,
        "2026-11-21T08:59:60Z": SENT_AT,
    }.items():
        # Genuine signatures over a timestamp that the service never sends. A lax parser would accept it as the current
        # time.
        yield vector(f"the timestamp {timestamp}", body, header=ours(KEY, timestamp, body), now=unix(now), code="malformed_signature")
    for name, keys in {"an empty key": [""], "an empty key beside another": [NEW_KEY, ""]}.items():
        # Anybody can sign with an empty key.
        yield vector(name, body, header=ours("", SENT_AT, body), keys=keys, code="empty_signing_key")
    yield vector("one second too old", body, now=unix(SENT_AT) + 301, code="timestamp_outside_tolerance")
    yield vector("one second too far ahead", body, now=unix(SENT_AT) - 301, code="timestamp_outside_tolerance")
    yield vector("any age without tolerance", body, tolerance_seconds=0, code="timestamp_outside_tolerance")


def standard_webhooks():
    for name, body in BODIES.items():
        yield {
            "name": name,
            "id": MESSAGE_ID,
            "body_base64": base64.b64encode(body).decode(),
            "sent_at": SENT_AT,
            "keys": [KEY, NEW_KEY],
            "secrets": ["whsec_" + base64.b64encode(key.encode()).decode() for key in (KEY, NEW_KEY)],
            "webhook_timestamp": str(unix(SENT_AT)),
            "webhook_signature": " ".join(standard(key, MESSAGE_ID, unix(SENT_AT), body) for key in (KEY, NEW_KEY)),
        }


print(json.dumps(
    {"signatures": [*accepted(), *refused()], "standard_webhooks": list(standard_webhooks())},
    ensure_ascii=False,
    indent=1,
))
