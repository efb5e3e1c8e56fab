/** Verifies a message in TypeScript. */
export const VERIFY_TYPESCRIPT = `import { readMessage } from '@ats/client/webhooks';

// rawBody: the bytes of the request, before any parsing
const message = readMessage({ body: rawBody, headers: request.headers, keys: [process.env.SIGNING_KEY] });
`;

/** Verifies a message in Python. The function is a copy of the function in the README of `@ats/webhook-signing`. */
export const VERIFY_PYTHON = String.raw`import hashlib
import hmac
import os
import re
from datetime import datetime, timezone

HEADER = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z),([0-9a-f]{64})")


def is_genuine(body, header, keys, tolerance_seconds=300, now=None):
    """body: the raw bytes, header: str, keys: list of the ${'`'}signing_key${'`'} texts you know, now: aware datetime"""
    match = HEADER.fullmatch(header or "")
    if match is None:
        return False
    timestamp, signature = match.groups()
    signed = timestamp.encode() + b"." + body
    # with an empty key anybody can sign
    expected = [hmac.new(key.encode(), signed, hashlib.sha256).hexdigest() for key in keys if key]
    if not any(hmac.compare_digest(text, signature) for text in expected):
        return False
    try:
        sent_at = datetime.strptime(timestamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    except ValueError:
        return False
    age = (now or datetime.now(timezone.utc)) - sent_at
    return abs(age.total_seconds()) <= tolerance_seconds


# body: the raw bytes of the request, before any parsing
headers = ["x-service-notify-signature", "x-service-notify-signature-next"]
if not any(is_genuine(body, request.headers.get(name), [os.environ["SIGNING_KEY"]]) for name in headers):
    abort(401)
`;
