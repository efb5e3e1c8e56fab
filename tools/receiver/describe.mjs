// @ts-check

/** @typedef {typeof import('@ats/webhook-signing').verify} Verify */

const signatureHeaders = ['x-service-notify-signature', 'x-service-notify-signature-next'];

/**
 * Describes a received message in lines for the terminal.
 * @param {object} message
 * @param {import('node:http').IncomingHttpHeaders} message.headers
 * @param {Buffer} message.body
 * @param {number} message.status the status with which the receiver answered
 * @param {boolean} message.isRepeated true when a message with this id was received before
 * @param {object} checking
 * @param {Verify} checking.verify
 * @param {string[]} checking.keys
 * @param {number} checking.toleranceSeconds
 * @param {Date} checking.now
 */
export function describe({ headers, body, status, isRepeated }, { verify, keys, toleranceSeconds, now }) {
  const whole = parse(body);
  // An endpoint with batches gets an array of messages in each request.
  const batch = Array.isArray(whole) ? whole : undefined;
  const content = batch ? batch[0] : whole;
  const more = batch ? ` (the first of a batch of ${batch.length})` : '';
  const lines = [
    [
      'message',
      `${content?.message_id ?? headers['webhook-id'] ?? '(no id)'}${more}${isRepeated ? ', received before' : ''}`,
    ],
    ['about', about(content?.details)],
    [
      'of',
      `subscription ${content?.subscription?.id ?? '?'} of topic ${content?.subscription?.topic?.id ?? '?'}, ` +
        `caused by user ${content?.user?.id ?? '?'}`,
    ],
    [
      'delivery',
      `sequence ${headers['x-service-notify-sequence'] ?? '?'}, ` +
        `attempt ${headers['x-service-notify-attempt'] ?? '?'}, answered with ${status}`,
    ],
  ];
  for (const name of signatureHeaders) {
    const header = headers[name]?.toString();
    if (header === undefined && name !== signatureHeaders[0]) continue;
    lines.push(['header', `${name}: ${header ?? '(missing)'}`]);
  }
  lines.push(['signature', verdict(() => verify({ body, headers, keys, toleranceSeconds, now }), keys.length, now)]);
  lines.push(['body', body.toString('utf8')]);
  const [timestamp] = headers[signatureHeaders[0] ?? '']?.toString().split(',') ?? [];
  if (timestamp)
    lines.push([
      'by hand',
      `printf %s ${quoted(`${timestamp}.${body.toString('utf8')}`)} | openssl dgst -sha256 -hmac "$KEY"`,
    ]);
  return [now.toTimeString().slice(0, 8), ...lines.map(([name = '', text]) => `  ${name.padEnd(10)}${text}`), ''].join(
    '\n',
  );
}

/**
 * Parses the body. Undefined when it is not JSON.
 * @param {Buffer} body
 */
function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Describes the subject of the message. A message does not contain its event type; the type follows from the details.
 * @param {any} details
 */
function about(details) {
  if (details === undefined) return 'unknown';
  const what = details.state_changes ? 'a change of state' : details.vacancy ? 'a posting' : 'other';
  return `${what}: ${details.url ?? JSON.stringify(details)}`;
}

/**
 * Describes in words whether a signature is genuine.
 * @param {() => { timestamp: Date, keyIndex: number }} check @param {number} keyCount @param {Date} now
 */
function verdict(check, keyCount, now) {
  if (keyCount === 0) return 'not checked: start the receiver with --key <signing_key>';
  try {
    const { timestamp, keyIndex } = check();
    const age = Math.round((now.getTime() - timestamp.getTime()) / 1000);
    return `genuine, ${age} s old${keyCount > 1 ? `, made with key ${keyIndex + 1}` : ''}`;
  } catch (error) {
    return `REFUSED: ${/** @type {Error} */ (error).message}`;
  }
}

/** Quotes a text for a shell. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
