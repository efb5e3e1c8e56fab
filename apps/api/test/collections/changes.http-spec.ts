// @group split: npm test changes one property in forty, and writes back an eighth of the items
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Item } from '../support/answer.js';
import { type Changeable, changeables, readBack } from '../support/changeable-items.js';
import { changeableProperties, changedValue, isIgnored } from '../support/changed-values.js';
import { below, expectStatus } from '../support/factories.js';
import { sampleOf } from '../support/long-part.js';
import { openDocument } from '../support/answer-checker.js';
import { useApi } from '../support/use-api.js';

const { api, make } = useApi();
let kinds: readonly Changeable[];

beforeAll(async () => {
  const { document } = await openDocument(api, make);
  kinds = changeables(document, api, make);
});

/**
 * Maps a written property to the properties of the representation that it changes. Other properties change only
 * themselves.
 */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
  opportunity_id: ['opportunity_id', 'opportunity'],
  user_id: ['user', 'candidate'],
  candidate: ['user', 'candidate'],
  posting_id: ['posting'],
  vacancy_id: ['vacancy', 'posting_loc_meth'],
  job_board_id: ['job_board', 'posting_loc_meth'],
  owner_id: ['owner'],
  endpoint_id: ['endpoint', 'destination_url', 'signing_key', 'standard_webhooks_secret'],
  location: ['location', 'posting_loc_meth'],
  method: ['posting_loc_meth'],
  opening_date: ['opening_date', 'status', 'accepts_applications'],
  closing_date: ['closing_date', 'status', 'accepts_applications'],
  is_withdrawn: ['is_withdrawn', 'status', 'accepts_applications'],
  start_dt: ['start_dt', 'status'],
  certificate: ['certificate', 'subject', 'issuer', 'serial_number', 'fingerprint', 'valid_from_dt', 'valid_to_dt'],
};

const OLDEST = '1.2';
const change = (method: 'PUT' | 'PATCH', { url }: Item, body: unknown, version?: string): Promise<Answer> =>
  api.request(method, `/api/v1${below(url)}`, { body, ...(version && { headers: { 'api-version': version } }) });

/** Returns the names of the properties in which two representations of an item differ. */
const changedNames = (before: Item, after: Item): readonly string[] =>
  Object.keys({ ...before, ...after }).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));

/**
 * Checks that a change of an item has changed exactly this property.
 * @returns a text for each other difference
 */
function differences(name: string, before: Item, after: Item): readonly string[] {
  const shown = SHOWN_AS[name] ?? [name];
  const changed = changedNames(before, after);
  const others = changed.filter((one) => !shown.includes(one) && one !== 'updated_dt');
  return [
    ...others.map((one) => `${one} changed too: ${JSON.stringify(before[one])} to ${JSON.stringify(after[one])}`),
    ...(changed.includes('updated_dt') && changed.some((one) => shown.includes(one)) ? [] : ['nothing changed']),
  ];
}

/** Maps a collection to the subject type of its events. */
const SUBJECTS: Readonly<Record<string, string>> = {
  vacancy_applications: 'application',
  applications: 'application',
  event_applications: 'application',
  event_registrations: 'application',
  vacancies: 'vacancy',
};

/** Returns the history entries and events of an item, without ids and times. */
async function traces({ id, url }: Item): Promise<string> {
  const history = await api.get(`${below(url)}/history`);
  const entries = history.status === 200 ? (history.json as { readonly items: readonly Item[] }).items : [];
  const changes = entries.map(({ type, changes: all }) => [
    type,
    (all as readonly { readonly path: string }[] | null)?.map(({ path }) => path),
  ]);
  const collection = below(url).split('/').at(-2) ?? '';
  const events = await api.database.query<{ type: string }>(
    'SELECT type FROM domain_events WHERE subject_id = $1 AND subject_type = $2 ORDER BY id',
    [id, SUBJECTS[collection] ?? collection.replace(/s$/, '')],
  );
  return JSON.stringify({ changes, events });
}

describe('every item that has PATCH', () => {
  test('is unchanged by a PUT of what GET gave and by an empty PATCH, in every form of the representation', async () => {
    const wrong: string[] = [];
    for (const kind of sampleOf(kinds, 8)) {
      const item = await kind.make();
      for (const version of [OLDEST, '1.9']) {
        const read = await readBack(api, item, version);
        const answers = kind.hasPut ? [await change('PUT', read, read, version)] : [];
        answers.push(await change('PATCH', read, {}, version));
        for (const { status, text } of answers)
          if (status !== 200 || changedNames(read, JSON.parse(text) as Item).length > 0) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('changes one property by PATCH, and by a PUT of the read item, with the same history and events', async () => {
    const wrong: string[] = [];
    for (const kind of kinds) {
      let [patched, replaced] = [await kind.make(), await readBack(api, await kind.make(), OLDEST)];
      for (const name of sampleOf(changeableProperties(kind), 40)) {
        const found: string[] = [];
        const patch = await change('PATCH', patched, { [name]: await changedValue(make, kind, name, patched) });
        found.push(...(patch.status === 200 ? differences(name, patched, patch.item) : [patch.text]));
        patched = await readBack(api, patched);
        if (kind.hasPut) {
          const body = { ...replaced, [name]: await changedValue(make, kind, name, replaced) };
          const put = await change('PUT', replaced, body, OLDEST);
          found.push(...(put.status === 200 ? differences(name, replaced, put.item) : [put.text]));
          replaced = await readBack(api, replaced, OLDEST);
        }
        wrong.push(...found.map((text) => `${kind.path} ${name}: ${text}`));
      }
      if (kind.hasPut && (await traces(patched)) !== (await traces(replaced)))
        wrong.push(`${kind.path}: ${await traces(patched)} is not ${await traces(replaced)}`);
    }
    expect(wrong).toEqual([]);
  });

  test('rejects another value of each read-only property, and an unknown property, in one answer', async () => {
    const wrong: string[] = [];
    for (const kind of sampleOf(kinds, 8)) {
      const item = await kind.make();
      const written = new Set(Object.keys(kind.properties));
      const readOnly = Object.keys(item).filter((name) => !written.has(name) && !isIgnored(kind.path, name));
      const body = Object.fromEntries([...readOnly, 'bogus'].map((name) => [name, 'another value']));
      const expected = [...readOnly.map((name) => `read_only /${name}`), 'invalid /bogus'].sort();
      for (const answer of [await change('PATCH', item, body), await change('PUT', item, { ...item, ...body })]) {
        if (answer.status === 405 && !kind.hasPut) continue;
        if (JSON.stringify([...answer.violations].sort()) !== JSON.stringify(expected)) wrong.push(answer.text);
      }
      expectStatus(200, await change('PATCH', item, Object.fromEntries(readOnly.map((name) => [name, item[name]]))));
    }
    expect(wrong).toEqual([]);
  });
});
