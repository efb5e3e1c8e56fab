// @ts-check

/** Secrets of at least this length, such as tokens and keys, are also found inside other words. */
const keyLength = 20;
const word = /[\p{L}\p{N}_]+/gu;
const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** The first characters of the body of a notification: as it is sent, and as a string inside a JSON text. */
const bodies = ['{"message_id"', '{\\"message_id\\"'];

/**
 * Finds secrets in the output of processes: tokens and keys anywhere, names as whole words, and e-mail addresses in any
 * case. Also finds bodies of notifications, whose contents are not known beforehand.
 * @param {string} log
 * @param {ReadonlySet<string>} secrets
 * @returns {readonly { secret: string, line: string }[]}
 */
export function findLeaks(log, secrets) {
  const isPart = (/** @type {string} */ secret) =>
    secret.length >= keyLength || !/^([\p{L}\p{N}_]+|[\w.+-]+@[\w.-]+)$/u.test(secret);
  const parts = [...secrets].filter((secret) => isPart(secret) && !secret.includes('@'));
  const short = new Set([...secrets].filter((secret) => !parts.includes(secret)).map((secret) => secret.toLowerCase()));
  // Also searches for secrets whose quotes and line breaks are escaped, as in JSON texts.
  const forms = new Set(parts.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const found = [...forms, ...bodies]
    .map((text) => ({ secret: text, index: log.indexOf(text) }))
    .filter(({ index }) => index >= 0);
  // A name inside an e-mail address is not searched for on its own.
  const others = log.replace(email, (address) => ' '.repeat(address.length));
  const words = [...log.matchAll(email), ...others.matchAll(word)]
    .filter(([text]) => short.has(text.toLowerCase()))
    .map(({ 0: secret, index }) => ({ secret, index }));
  return [...found, ...words].map(({ secret, index }) => ({ secret, line: lineAt(log, index) }));
}

/**
 * Returns the line of the log at an index.
 * @param {string} log @param {number} index
 */
function lineAt(log, index) {
  const end = log.indexOf('\n', index);
  return log.slice(log.lastIndexOf('\n', index) + 1, end < 0 ? undefined : end);
}
