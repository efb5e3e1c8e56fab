/** What of a response body is kept. Source: CONTRACT.md 8. */
export const MAX_EXCERPT_BYTES = 16 * 1024;

/** The beginning of a body as text that PostgreSQL can store, at most {@link MAX_EXCERPT_BYTES} as UTF-8. */
export function toExcerpt(body: Buffer): string {
  const text = decode(body.subarray(0, MAX_EXCERPT_BYTES));
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= MAX_EXCERPT_BYTES ? text : decode(bytes.subarray(0, MAX_EXCERPT_BYTES));
}

/** A character cut at the end is left out; bytes that are no UTF-8 and NULs become replacement characters. */
function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
}
