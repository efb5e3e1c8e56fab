/**
 * @typedef {object} Answer
 * @property {number} sentAt time of the request in ms
 * @property {number} at time of the answer in ms
 * @property {number} status
 * @property {Record<string, string | string[] | undefined>} headers
 * @property {string} body
 *
 * @typedef {object} Promised the configured rate limit
 * @property {number} limit
 * @property {number} windowS
 */

const numberOf = (/** @type {unknown} */ text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : NaN);

/**
 * Returns the end of the window according to the answer. The result is later than the true end by at most one second
 * plus the duration of the answer.
 * @param {Answer} answer
 */
const endOf = ({ at, headers }) => at + numberOf(headers['ratelimit-reset']) * 1_000;

/**
 * Groups the answers of one credential by window. Ends of windows are at least one window apart.
 * @param {readonly Answer[]} answers
 * @param {Promised} promised
 * @returns {Answer[][]}
 */
export function windowsOf(answers, { windowS }) {
  const windows = [];
  let lastEnd = -Infinity;
  for (const answer of [...answers].sort((a, b) => endOf(a) - endOf(b))) {
    const end = endOf(answer);
    if (end - lastEnd > (windowS * 1_000) / 2) windows.push([]);
    windows.at(-1)?.push(answer);
    lastEnd = end;
  }
  return windows;
}

/**
 * Returns the number of accepted requests in each window in which other requests were refused.
 * @param {readonly Answer[]} answers
 * @param {Promised} promised
 */
export function passedOf(answers, promised) {
  const asked = windowsOf(answers, promised).filter((window) => window.some(({ status }) => status === 429));
  return asked.map((window) => window.filter(({ status }) => status === 200).length);
}

/**
 * Finds errors in the answers of one credential.
 * @param {readonly Answer[]} answers
 * @param {Promised} promised
 * @returns {string[]}
 */
export function faultsOf(answers, promised) {
  const faults = answers.flatMap((answer) =>
    headerFaults(answer, promised).map((fault) => `${answer.status}: ${fault}`),
  );
  for (const window of windowsOf(answers, promised)) {
    const left = window.filter(({ status }) => status === 200).map(({ headers }) => headers['ratelimit-remaining']);
    if (new Set(left).size !== left.length) faults.push('two answers of a window have the same RateLimit-Remaining');
  }
  const inOrder = [...answers].sort((a, b) => a.sentAt - b.sentAt);
  const passed = answers.filter(({ status }) => status === 200).sort((a, b) => a.at - b.at);
  for (const { at, status, headers } of answers) {
    if (status !== 429) continue;
    const next = firstFrom(inOrder, at + numberOf(headers['retry-after']) * 1_000, ({ sentAt }) => sentAt);
    if (!next || next.status === 200) continue;
    // A refused retry is correct when other requests have used up the next window.
    const others = passed.slice(passed.findIndex((answer) => answer.at >= at));
    if (!others.some(({ sentAt }) => sentAt <= next.at)) faults.push('no request passed after Retry-After');
  }
  return faults;
}

/**
 * Finds an answer by binary search.
 * @param {readonly Answer[]} inOrder
 * @param {number} moment
 * @param {(answer: Answer) => number} timeOf
 * @returns {Answer | undefined} the first answer at or after the moment
 */
function firstFrom(inOrder, moment, timeOf) {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const answer = inOrder[middle];
    if (answer && timeOf(answer) < moment) low = middle + 1;
    else high = middle;
  }
  return inOrder[low];
}

/**
 * Finds errors in the headers and the body of one answer.
 * @param {Answer} answer @param {Promised} promised @returns {string[]}
 */
function headerFaults({ status, headers, body }, { limit, windowS }) {
  const [stated, remaining, reset, retryAfter] = [
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'retry-after',
  ].map((name) => numberOf(headers[name]));
  const faults = [];
  if (stated !== limit) faults.push(`RateLimit-Limit is ${stated}`);
  if (!(reset >= 1 && reset <= windowS)) faults.push(`RateLimit-Reset is ${reset}`);
  if (status === 200) {
    if (!(remaining >= 0 && remaining < limit)) faults.push(`RateLimit-Remaining is ${remaining}`);
  } else if (status === 429) {
    if (remaining !== 0) faults.push(`RateLimit-Remaining is ${remaining}`);
    if (retryAfter !== reset) faults.push(`Retry-After is ${retryAfter} where RateLimit-Reset is ${reset}`);
    const { message, request_id: id } = JSON.parse(body);
    if (!/^Too many requests: /.test(message) || id !== headers['x-request-id']) faults.push(`the body is ${body}`);
  } else faults.push(body);
  return faults;
}
