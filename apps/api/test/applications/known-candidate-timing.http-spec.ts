// @group split: npm test compares a few answers, and no times
import { describe, expect, test } from '@jest/globals';
import { type Answer } from '../support/answer.js';
import { type Properties } from '../support/form-factories.js';
import { isLong } from '../support/long-part.js';
import { useApi } from '../support/use-api.js';
import { person } from './one-call.js';

const { api, make, forms } = useApi();

/** Maximum number of rounds in which times are measured. */
const ROUNDS = 3;
/** Maximum difference between the two medians, as a fraction of the median for new addresses. */
const MOST_DIFFERENCE = 0.05;
const WARM_UP = isLong ? 50 : 2;

interface Timed {
  readonly ms: number;
  readonly answer: Answer;
}

/**
 * Returns everything in an answer that must not depend on the e-mail address: all except the values of the new
 * application.
 */
const shapeOf = ({ status, headers, text }: Answer): unknown => ({
  status,
  // Counts the length of the body without both occurrences of the id, in `id` and in `url`, because ids differ in
  // length.
  length: text.length - 2 * String((JSON.parse(text) as { readonly id: number }).id).length,
  headers: Object.keys(headers).filter((name) => name !== 'date'),
  properties: Object.keys(JSON.parse(text) as object),
});

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/**
 * Applies for new addresses and for addresses of stored candidates. Both kinds alternate in random order, so that a
 * busy machine slows both down.
 */
async function applyInTurn(pairs: number, common: Properties): Promise<Readonly<Record<'known' | 'unknown', Timed[]>>> {
  const token = await make.token('applications:create');
  const { id: opportunity_id } = await make.vacancy();
  const timed = { known: [] as Timed[], unknown: [] as Timed[] };
  const apply = async (kind: keyof typeof timed, email: unknown): Promise<void> => {
    const candidate = person({ email, tags: ['a', 'b'], Phone: [{ Label: 'home', Number: '123' }] });
    const body = { opportunity_id, candidate, on_existing_candidate: 'use', ...common };
    const start = performance.now();
    const answer = await api.post('/applications', body, { token });
    timed[kind].push({ ms: performance.now() - start, answer });
  };
  const run = String(opportunity_id);
  await api.database.query(
    `INSERT INTO users (type, status, firstname, lastname, email)
     SELECT 'candidate', 'active', 'Ada', 'Byron', 'known.' || $1 || '.' || number || '@example.com'
     FROM generate_series(1, $2) AS number`,
    [run, pairs + WARM_UP],
  );
  for (let index = 1; index <= pairs + WARM_UP; index++) {
    const [known, unknown] = [`known.${run}.${index}@example.com`, `known.${run}.${index}@example.net`];
    const isFirst = Math.random() < 0.5;
    if (isFirst) await apply('known', known);
    await apply('unknown', unknown);
    if (!isFirst) await apply('known', known);
  }
  for (const list of Object.values(timed)) list.splice(0, WARM_UP);
  return timed;
}

const CASES: readonly (readonly [title: string, pairs: number, more: () => Promise<Properties>])[] = [
  ['a plain application', isLong ? 1_000 : 10, () => Promise.resolve({})],
  [
    'an application with answers',
    isLong ? 150 : 10,
    async () => {
      const { name } = await forms.itemsOf({ name: { required: true } }, { on_apply: 'required' });
      return { form_values: [{ item_id: name, value: 'x' }] };
    },
  ],
];

/**
 * Compares the times of the answers for known and for new addresses.
 * @returns the difference of the medians, as a fraction of the median for new addresses
 */
function differenceOf(title: string, known: readonly Timed[], unknown: readonly Timed[]): number {
  const times = { known: known.map(({ ms }) => ms), unknown: unknown.map(({ ms }) => ms) };
  const [ofKnown, ofNew] = [median(times.known), median(times.unknown)];
  // The two answers of a pair follow each other, so that the load of the machine affects both.
  const ofPairs = median(times.known.map((ms, index) => ms - (times.unknown[index] ?? NaN)));
  process.stdout.write(
    `${title}: median of known ${ofKnown.toFixed(2)} ms, of new ${ofNew.toFixed(2)} ms, of the differences ${ofPairs.toFixed(2)} ms\n`,
  );
  // Returns the smaller of two differences: the difference of the medians, and the median of the differences within
  // pairs. Even on a busy machine, at least one of the two is stable.
  return Math.min(Math.abs(ofKnown - ofNew), Math.abs(ofPairs)) / ofNew;
}

describe.each(CASES)('the answer to %s with on_existing_candidate use', (title, pairs, more) => {
  test('takes the same time and has the same form for a known address and for a new one', async () => {
    const [known, unknown]: [Timed[], Timed[]] = [[], []];
    let difference = Infinity;
    // Makes the form once for all rounds. With a second form, each application would need one more answer.
    const common = await more();
    // On a busy machine, the medians of one round may differ by chance. Further rounds make this less likely.
    for (let round = 1; round <= (isLong ? ROUNDS : 1) && difference >= MOST_DIFFERENCE; round++) {
      const timed = await applyInTurn(pairs, common);
      known.push(...timed.known);
      unknown.push(...timed.unknown);
      difference = differenceOf(title, known, unknown);
    }
    const shapes = new Set([...known, ...unknown].map(({ answer }) => JSON.stringify(shapeOf(answer))));
    expect([...shapes].map((shape) => JSON.parse(shape) as unknown)).toEqual([
      expect.objectContaining({ status: 201, properties: ['id', 'uuid', 'url', 'created_dt', 'updated_dt'] }),
    ]);
    // The difference is checked only with many pairs, because the median of fewer than a thousand answers is not
    // stable.
    if (pairs >= 1_000) expect(difference).toBeLessThan(MOST_DIFFERENCE);
  }, 900_000);
});
