// @group long: sends 1,000 applications, each of which is answered after a second or more.
import { expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { formToken, publicPosting } from '../support/public-boards.js';
import { useApi } from '../support/use-api.js';

const APPLICATIONS = 1_000;
const AT_ONCE = 10;
/** Timeout in ms. On a busy machine, the applications take minutes. */
const TIMEOUT_MS = 1_200_000;
const PERMUTATIONS = 2_000;
const BUSY = 503;
/** Headers that are different in every answer. */
const OF_EACH_ANSWER = new Set(['date', 'x-request-id']);

const { api, make } = useApi();

interface Sent {
  readonly isKnown: boolean;
  readonly ms: number;
  readonly seen: string;
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). It gives the same numbers in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
  const all = [...values];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] as Value, all[last] as Value];
  }
  return all;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Tests by permutations whether the times of two samples differ.
 * @returns the share of permutations whose difference of means is at least the measured one
 */
function probabilityOf(known: readonly number[], unknown: readonly number[]): number {
  const random = randomFrom(1);
  const measured = Math.abs(mean(known) - mean(unknown));
  const all = [...known, ...unknown];
  let asLarge = 0;
  for (let turn = 0; turn < PERMUTATIONS; turn++) {
    const mixed = shuffled(all, random);
    const difference = mean(mixed.slice(0, known.length)) - mean(mixed.slice(known.length));
    if (Math.abs(difference) >= measured) asLarge += 1;
  }
  return asLarge / PERMUTATIONS;
}

/** Returns everything in an answer that a client sees, except what is different in every answer. */
function seenIn({ status, headers, text }: Answer): string {
  const shown = Object.entries(headers).filter(([name]) => !OF_EACH_ANSWER.has(name));
  return JSON.stringify([status, shown, text]);
}

test(
  `${APPLICATIONS} applications of known and unknown people have the same answer`,
  async () => {
    const { code, posting } = await publicPosting(make);
    const token = formToken(posting.id);
    const recruiter = await make.recruiter();
    const known: unknown[] = [recruiter['email']];
    for (let count = 1; count < APPLICATIONS / 4; count++) known.push((await make.candidate())['email']);
    const path = `/public/v1/boards/${code}/postings/${posting.id}/applications`;
    let busy = 0;
    const send = async (email: unknown, isKnown: boolean): Promise<Sent> => {
      const body = { candidate: { firstname: 'Ada', lastname: 'Lovelace', email }, token };
      for (;;) {
        const start = performance.now();
        const answer = await api.request('POST', path, { token: null, body });
        const ms = performance.now() - start;
        // Sends the application again after a busy answer. On a busy machine, the database may have no free connection
        // for a moment.
        if (answer.status !== BUSY) return { isKnown, ms, seen: seenIn(answer) };
        busy += 1;
      }
    };
    // Each known person applies twice. The second application finds the first one.
    const half = APPLICATIONS / 2;
    const people = Array.from({ length: half }, (_, index) => [
      { email: known[index % known.length], isKnown: true },
      { email: `unknown-${index}@example.com`, isKnown: false },
    ]).flat();
    const queue = shuffled(people, randomFrom(2));
    const sent: Sent[] = [];
    for (let at = 0; at < queue.length; at += AT_ONCE) {
      const batch = queue.slice(at, at + AT_ONCE);
      sent.push(...(await Promise.all(batch.map(({ email, isKnown }) => send(email, isKnown)))));
    }
    expect(sent).toHaveLength(APPLICATIONS);
    expect([...new Set(sent.map(({ seen }) => seen))]).toHaveLength(1);
    expect(JSON.parse(sent[0]?.seen ?? '')).toMatchObject([202, expect.anything(), '{"status":"received"}']);
    expect((await api.get(`/applications?search=/posting/id=${posting.id}&per_page=1`)).headers['x-total-count']).toBe(
      String(half + known.length - 1),
    );

    // The times depend on the machine. So the result is printed, but never fails the test.
    const times = (isKnown: boolean): readonly number[] =>
      sent.filter((one) => one.isKnown === isKnown).map(({ ms }) => ms);
    const [ofKnown, ofUnknown] = [times(true), times(false)];
    const probability = probabilityOf(ofKnown, ofUnknown);
    process.stderr.write(
      `applications of known people took ${mean(ofKnown).toFixed(1)} ms, ` +
        `of unknown ones ${mean(ofUnknown).toFixed(1)} ms; ` +
        `p = ${probability.toFixed(3)} by ${PERMUTATIONS} permutations; ${busy} answers were ${BUSY} and repeated\n`,
    );
    expect(probability).toBeGreaterThanOrEqual(0);
  },
  TIMEOUT_MS,
);
