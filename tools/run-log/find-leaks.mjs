// @ts-check

/** As long as tokens and keys are: looked for everywhere, within other words too. */
const keyLength = 20;
const word = /[\p{L}\p{N}_]+/gu;
const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** As the body of a notification begins, as it is and within another text of JSON. */
const bodies = ['{"message_id"', '{\\"message_id\\"'];

/**
 * Looks for secrets in what processes have printed: for tokens and keys as parts of anything, for names as words and for e-mail
 * addresses in any case, and for bodies of notifications, of which no part is known beforehand.
 * @param {string} log
 * @param {ReadonlySet<string>} secrets
 * @returns {readonly { secret: string, line: string }[]}
 */
export function findLeaks(log, secrets) {
  const isPart = (/** @type {string} */ secret) =>
    secret.length >= keyLength || !/^([\p{L}\p{N}_]+|[\w.+-]+@[\w.-]+)$/u.test(secret);
  const parts = [...secrets].filter((secret) => isPart(secret) && !secret.includes('@'));
  const short = new Set([...secrets].filter((secret) => !parts.includes(secret)).map((secret) => secret.toLowerCase()));
  // As texts of JSON have them, too: with quotes and line breaks escaped.
  const forms = new Set(parts.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const found = [...forms, ...bodies]
    .map((text) => ({ secret: text, index: log.indexOf(text) }))
    .filter(({ index }) => index >= 0);
  // A name within an address is a part of the address.
  const others = log.replace(email, (address) => ' '.repeat(address.length));
  const words = [...log.matchAll(email), ...others.matchAll(word)]
    .filter(([text]) => short.has(text.toLowerCase()))
    .map(({ 0: secret, index }) => ({ secret, index }));
  return [...found, ...words].map(({ secret, index }) => ({ secret, line: lineAt(log, index) }));
}

/** @param {string} log @param {number} index */
function lineAt(log, index) {
  const end = log.indexOf('\n', index);
  return log.slice(log.lastIndexOf('\n', index) + 1, end < 0 ? undefined : end);
}
