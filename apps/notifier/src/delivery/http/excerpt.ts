/** Maximum length of the part of an answer's body that is stored (docs/reference/notifications.md). */
export const MAX_EXCERPT_BYTES = 16 * 1024;

/**
 * Returns the start of a body as a text that PostgreSQL can store. The text has at most {@link MAX_EXCERPT_BYTES} in
 * UTF-8.
 */
export function toExcerpt(body: Buffer): string {
  const text = decode(body.subarray(0, MAX_EXCERPT_BYTES));
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= MAX_EXCERPT_BYTES ? text : decode(bytes.subarray(0, MAX_EXCERPT_BYTES));
}

/** Decodes UTF-8. Drops an incomplete character at the end. Replaces invalid bytes and NUL by U+FFFD. */
function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true }).replaceAll('\0', '\ufffd');
}
