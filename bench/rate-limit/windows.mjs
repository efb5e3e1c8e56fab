/**
 * @typedef {object} Answer
 * @property {number} sentAt milliseconds, when it was asked for
 * @property {number} at when it had come
 * @property {number} status
 * @property {Record<string, string | string[] | undefined>} headers
 * @property {string} body
 *
 * @typedef {object} Promised
 * @property {number} limit
 * @property {number} windowS
 */

const numberOf = (/** @type {unknown} */ text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : NaN);

/** When the window ends by what the answer says: a second too late at most, and by how long it was on its way. @param {Answer} answer */
const endOf = ({ at, headers }) => at + numberOf(headers['ratelimit-reset']) * 1_000;

/**
 * The windows of one credential: their ends are at least a window apart, so answers whose ends are nearer are of the same.
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

/** How many passed in each window that was asked for more. @param {readonly Answer[]} answers @param {Promised} promised */
export function passedOf(answers, promised) {
  const asked = windowsOf(answers, promised).filter((window) => window.some(({ status }) => status === 429));
  return asked.map((window) => window.filter(({ status }) => status === 200).length);
}

/**
 * What is wrong with the answers of one credential: each of them is looked at.
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
    if (new Set(left).size !== left.length)
      faults.push('two requests of a window were told the same number of those left');
  }
  const inOrder = [...answers].sort((a, b) => a.sentAt - b.sentAt);
  const passed = answers.filter(({ status }) => status === 200).sort((a, b) => a.at - b.at);
  for (const { at, status, headers } of answers) {
    if (status !== 429) continue;
    const next = firstFrom(inOrder, at + numberOf(headers['retry-after']) * 1_000, ({ sentAt }) => sentAt);
    if (!next || next.status === 200) continue;
    // It was late itself, and others had used up the next window: those were asked for before it was answered.
    const others = passed.slice(passed.findIndex((answer) => answer.at >= at));
    if (!others.some(({ sentAt }) => sentAt <= next.at)) faults.push('after Retry-After nothing passed');
  }
  return faults;
}

/**
 * @param {readonly Answer[]} inOrder
 * @param {number} moment
 * @param {(answer: Answer) => number} timeOf
 * @returns {Answer | undefined} the first whose time is then or later
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

/** @param {Answer} answer @param {Promised} promised @returns {string[]} */
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
